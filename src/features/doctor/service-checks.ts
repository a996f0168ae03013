/** The service of a run: its address, the key, the way there, and its clock. One free question, asked as `check --online` asks it. */

import { unknownService, unknownServiceOf } from '../../app/files/used-services.ts';
import type { Invocation } from '../../app/options/invocation.ts';
import type { Options } from '../../app/options/options.ts';
import { readKey } from '../../app/options/settings.ts';
import { type AccountCheck, askAboutAccount } from '../../app/service/ask-service.ts';
import { systemClock } from '../../app/system-clock.ts';
import { UsageError } from '../../errors.ts';
import { message } from '../../messages/message.ts';
import type { AccountOutcome } from '../../money/answers/account-check.ts';
import { proxyAddress } from '../../service/proxy-agent.ts';
import { chooseProxy } from '../../service/proxy-choice.ts';
import type { Phrases } from '../../terminal/phrases/phrases.ts';
import { type Check, check } from './check.ts';

/** Signed links and secure connections allow for less than an hour, and no clock that is set by the system is off by this. */
const clockToleranceMs = 2 * 60_000;

export async function checkService(invocation: Invocation, options: Options): Promise<readonly Check[]> {
  if (options.simulate) return [check('address', 'ok', message('doctor.rehearsal'))];
  const address = options['base-url'];
  const noKey = keyFault(invocation, options);
  if (address === undefined)
    return [check('address', 'failed', message('key.no-address')), noKey ?? unaskedKey()];
  const proxy = proxyTo(address, invocation);
  if (noKey !== null) return [unasked(address), noKey, proxy];
  if (proxy.state === 'failed') return [unasked(address), unaskedKey(), proxy];
  const unknown = await unknownServiceOf(invocation, address);
  if (unknown !== null) return [refused('address', unknownService(unknown)), unaskedKey(), proxy];
  return [...(await ask(invocation, options)), proxy].toSorted(inOrder);
}

/** As a user reads them: where, with what, which way, and what the answer says. */
const order = ['address', 'key', 'proxy', 'clock'];

function inOrder(one: Check, other: Check): number {
  return order.indexOf(one.id) - order.indexOf(other.id);
}

function keyFault(invocation: Invocation, options: Options): Check | null {
  try {
    readKey(invocation, options);
    return null;
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    return refused('key', error);
  }
}

function refused(id: string, { said, message: text }: UsageError): Check {
  return check(id, 'failed', said ?? text);
}

function unasked(address: string): Check {
  return check('address', 'warning', message('doctor.address-unasked', { address }));
}

function unaskedKey(): Check {
  return check('key', 'warning', message('doctor.key-unasked'));
}

function proxyTo(address: string, { env }: Invocation): Check {
  try {
    const proxy = chooseProxy(address, env);
    if (proxy === null) return check('proxy', 'ok', message('doctor.no-proxy'));
    const { host } = proxyAddress(proxy);
    return check('proxy', 'ok', message('doctor.proxy', { variable: proxy.variable, host }));
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    return refused('proxy', error);
  }
}

async function ask(invocation: Invocation, options: Options): Promise<readonly Check[]> {
  let off: number | null = null;
  const account = await askAboutAccount(invocation, options, null, (at) => {
    off = systemClock.now() - at;
  });
  return [...accountChecks(account), ...(off === null ? [] : [clockCheck(off)])];
}

/** Whose fault an outcome is. */
const atFault: Readonly<Record<Exclude<AccountOutcome, 'good' | 'odd'>, 'address' | 'key'>> = {
  'wrong-service': 'address',
  'no-host': 'address',
  tls: 'address',
  proxy: 'address',
  misconfigured: 'address',
  unreachable: 'address',
  'key-refused': 'key',
  'no-points': 'key',
  'key-forbidden': 'key',
};

/** What to do, where the sentence about the account does not say it. */
const advice = { 'no-points': message('doctor.top-up'), 'key-forbidden': message('doctor.permit') };

function accountChecks({ address, outcome, failure }: AccountCheck): readonly Check[] {
  const sentence = (say: Phrases): string => say.plan.accounts[outcome](address, failure ?? '');
  const good = check('address', 'ok', message('doctor.address', { address }));
  if (outcome === 'good') return [good, check('key', 'ok', message('doctor.key'))];
  if (outcome === 'odd') return [{ id: 'address', state: 'warning', sentence }, unaskedKey()];
  if (atFault[outcome] === 'address') return [{ id: 'address', state: 'failed', sentence }, unaskedKey()];
  const more = outcome in advice ? advice[outcome as keyof typeof advice] : null;
  const advised = (say: Phrases): string =>
    more === null ? sentence(say) : `${sentence(say)}${say.semicolon}${say.render(more)}`;
  return [good, { id: 'key', state: 'failed', sentence: advised }];
}

/** `off`: by how many ms this machine is ahead. */
export function clockCheck(off: number): Check {
  if (Math.abs(off) <= clockToleranceMs) return check('clock', 'ok', message('doctor.clock'));
  const minutes = Math.round(Math.abs(off) / 60_000);
  return check(
    'clock',
    'warning',
    message('doctor.clock-off', { minutes, off: off > 0 ? 'ahead' : 'behind' }),
  );
}
