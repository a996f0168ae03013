/** What an error of the server or of the connection means: repeat, give up, or a fault of the program. */

import { CheckpointError, codeOf, messageOf, StoreAwayError, UsageError } from '../../../errors.ts';
import { message } from '../../../messages/message.ts';
import { isOfPooler, poolerRefused } from './pooler.ts';

const networkCodes =
  /^(ECONN(REFUSED|RESET|ABORTED)|EPIPE|ETIMEDOUT|ENOTFOUND|EAI_AGAIN|E(HOST|NET)(UNREACH|DOWN)|ENETRESET)$/;

/**
 * SQLSTATEs after which the same statement may succeed: connection lost (08), out of connections, memory or disk (53),
 * server stopping or starting, statement cancelled (57), deadlock or lock not available (40, 55P03), idle in a transaction
 * (25P03).
 */
const passingStates = /^(08...|53...|57P0.|57014|40001|40P01|55P03|25P0[34])$/;

/** Errors of `pg` itself have no code. */
const passingMessages =
  /^(Connection terminated|Query read timeout|timeout e(xpired|xceeded)|Client (was closed|has encountered a connection error))/;

/** True where the server is away, or busy for now: the same call may succeed later. */
export function isAway(error: unknown): boolean {
  const code = codeOf(error);
  if (isOfPooler(error)) return false;
  if (networkCodes.test(code) || passingStates.test(code)) return true;
  if (error instanceof AggregateError) return error.errors.some(isAway);
  return code === '' && passingMessages.test(messageOf(error));
}

/** True where the server answers, but others have locked what the statement needs: an import does while it is saved. */
export function isBusy(error: unknown): boolean {
  return /^(40001|40P01|55P03)$/.test(codeOf(error));
}

/**
 * True where the server lets nobody into the database for now, or has none of this name: a process that was in it waits, as
 * while it is renamed, restored, or its role is changed.
 */
export function isShut(error: unknown): boolean {
  return /^(3D000|28000|28P01)$/.test(codeOf(error));
}

/** True where the server is a standby, which may be the server soon. */
export function isStandby(error: unknown): boolean {
  return codeOf(error) === '25006';
}

/** `pg` gives it no code. */
export function hasNoTls(error: unknown): boolean {
  return messageOf(error) === 'The server does not support SSL connections';
}

/** Several addresses of one host fail together, in an error without a message. */
export function reasonOf(error: unknown): string {
  const first = error instanceof AggregateError ? error.errors[0] : error;
  return messageOf(first).replace(/\s+/g, ' ');
}

export function storeAway(name: string, error: unknown): StoreAwayError {
  return new StoreAwayError(
    message(isBusy(error) ? 'store.busy' : 'store.away', { name, failure: reasonOf(error) }),
    error,
  );
}

/** The role of the address may not do what the run needs. */
export function lacksPermission(name: string, reason: string, cause?: unknown): UsageError {
  return new UsageError(message('store.no-permission', { name, failure: reason }), cause);
}

/** The run that this process opened is gone, even if another one has its name now. */
export function runRemoved(name: string, cause?: unknown): UsageError {
  return new UsageError(message('store.run-removed', { name }), cause);
}

/** The tool's own error for one of the server; anything else stays what it is. */
export function translate(name: string, error: unknown): unknown {
  const code = codeOf(error);
  if (isOfPooler(error)) return poolerRefused(name, error);
  if (/^(ERR_TLS|CERT_|UNABLE_TO_|DEPTH_ZERO|SELF_SIGNED|HOSTNAME_MISMATCH)/.test(code) || hasNoTls(error))
    return new UsageError(message('store.no-tls', { name, failure: reasonOf(error) }), error);
  if (/client password must be/.test(messageOf(error)))
    return new UsageError(message('store.no-password', { name }), error);
  if (/^(28...|3D000|3F000)$/.test(code))
    return new UsageError(message('store.refuses', { name, failure: reasonOf(error) }), error);
  if (code === 'BA003') return new UsageError(message('store.moves', { place: messageOf(error) }), error);
  if (code === '42501') return lacksPermission(name, reasonOf(error), error);
  if (/^(XX00[12]|58...)$/.test(code))
    return new CheckpointError(message('store.damaged-run', { name, failure: reasonOf(error) }), error);
  // A table or a function of the run is not there: its schema was dropped.
  if (/^(42P01|42883)$/.test(code)) return runRemoved(name, error);
  if (isStandby(error))
    return new UsageError(message('store.read-only', { name, failure: reasonOf(error) }), error);
  return error;
}
