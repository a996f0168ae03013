/** Connections that accept everything HTTP allows: their answers are mended before the library reads them. */

import { type buildConnector, Pool } from 'undici';
import { mendAnswers } from './answer-heads.ts';

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
