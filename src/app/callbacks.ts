/** `--listen`: an unguessable callback address for each row, and what a hit on it means. */

import { timingSafeEqual } from 'node:crypto';
import { saidOf, UsageError } from '../errors.ts';
import { message } from '../messages/message.ts';
import { openCallbackListener } from '../service/callback-listener.ts';
import type { Options } from './options/options.ts';

export interface Callbacks {
  addressOf(key: number): string;
  /** `taskId` is what the body named, if anything; unverified. */
  onHit(listen: (key: number, taskId: string | null) => void): void;
  close(): Promise<void>;
}

/** Listens if the user gave `--listen`, else null. `tokenOf` gives the secret part of each row's address. */
export async function openCallbacks(
  options: Options,
  tokenOf: (key: number) => string,
): Promise<Callbacks | null> {
  if (options.listen === undefined) return null;
  const { host, port } = options.listen;
  let onHit: (key: number, taskId: string | null) => void = () => {};
  const publicUrl = options['public-url']?.replace(/\/+$/, '');
  // A proxy may keep the path of the public address or remove it.
  const prefix = publicUrl === undefined ? '' : new URL(publicUrl).pathname.replace(/\/$/, '');
  const listener = await openCallbackListener(options.listen, (path, taskId) => {
    const own = path.startsWith(`${prefix}/`) ? path.slice(prefix.length) : path;
    const [, key, token] = /^\/callback\/(\d{1,15})-([0-9a-f]{32})$/.exec(own) ?? [];
    if (key === undefined || token === undefined) return false;
    if (!timingSafeEqual(Buffer.from(token), Buffer.from(tokenOf(Number(key))))) return false;
    onHit(Number(key), taskId);
    return true;
  }).catch((error: unknown) => {
    throw new UsageError(message('refused.listen', { host, port, failure: saidOf(error) }), error);
  });
  const base = publicUrl ?? listener.url;
  return {
    addressOf: (key) => `${base}/callback/${key}-${tokenOf(key)}`,
    onHit: (listen) => {
      onHit = listen;
    },
    close: () => listener.close(),
  };
}
