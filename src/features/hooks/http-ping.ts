/** Pings the address of a dead man's switch, such as Healthchecks, over HTTP with undici. */

import { type Dispatcher, request } from 'undici';
import { codeOf, raise } from '../../errors.ts';
import { message } from '../../messages/message.ts';
import { ReasonError } from '../../messages/reasons/reason-error.ts';
import type { Ping } from '../../ports.ts';

export interface HttpPingOptions {
  /** http(s) address; it may identify the check, so no message names more than its host. */
  readonly url: string;
  /** Total deadline of one ping. */
  readonly timeoutMs: number;
  /** Opens the connections of one ping. */
  readonly open: () => Dispatcher;
}

export function createHttpPing({ url, timeoutMs, open }: HttpPingOptions): Ping {
  return {
    async send(signal, body) {
      const address = withSignal(url, signal);
      // No connection is kept between pings.
      const agent = open();
      // The library's own timeouts begin anew with each phase.
      const deadline = setTimeout(() => agent.destroy().catch(raise), timeoutMs);
      try {
        const headers = { 'content-type': 'application/json' };
        // Redirects are not followed: another host must not learn the address.
        const answer = await request(address, { dispatcher: agent, method: 'POST', headers, body });
        if (answer.statusCode >= 300) throw new Error(`HTTP ${answer.statusCode}`);
      } catch (error) {
        throw new ReasonError(message('ping.refused', { place: address.host, failure: reasonOf(error) }));
      } finally {
        clearTimeout(deadline);
        await agent.destroy();
      }
    },
  };
}

/** The signal is the last segment of the path; a query stays where it is. */
function withSignal(url: string, signal: string): URL {
  const address = new URL(url);
  address.pathname = `${address.pathname.replace(/\/+$/, '')}/${signal}`;
  return address;
}

/** Messages of the library may have the whole address; its codes have not. */
function reasonOf(error: unknown): string {
  if (error instanceof Error && /^HTTP \d+$/.test(error.message)) return error.message;
  const code = codeOf(error);
  return code === 'UND_ERR_DESTROYED' ? 'no answer in time' : code || 'no answer';
}
