/**
 * Connections that wait as long as the way to the service is, and accept everything HTTP allows: their answers are mended before
 * the library reads them.
 */

import { type buildConnector, Pool } from 'undici';
import { mendAnswers } from './answer-heads.ts';

/** Enough (ms) for a first packet that is lost and comes a second later, on a way around the world. */
const longestAttemptMs = 2_000;

/**
 * How long connecting waits for one address of a name before it gives that up for the next, within the `timeout` (ms) of all.
 * Node's own 250 ms end connections that would have come, for an address that may be dead.
 */
export function attemptsWithin(timeout: number): { readonly autoSelectFamilyAttemptTimeout: number } {
  return { autoSelectFamilyAttemptTimeout: Math.ceil(Math.min(longestAttemptMs, timeout / 4)) };
}

export function mended(connect: buildConnector.connector): buildConnector.connector {
  return (options, callback) =>
    connect(options, (...[error, socket]) => {
      if (error !== null) return callback(error, null);
      mendAnswers(socket);
      callback(null, socket);
    });
}

/** Such connections through the tunnel of a proxy: the `factory` of a `ProxyAgent`. */
export function mendedTunnels(origin: string | URL, options: Pool.Options): Pool {
  if (typeof options.connect !== 'function') throw new Error('undici has changed how it connects');
  return new Pool(origin, { ...options, connect: mended(options.connect) });
}
