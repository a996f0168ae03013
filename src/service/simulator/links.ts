/** Signed links to files: anyone who has one may read that file, for a while. */

import { createHmac } from 'node:crypto';

/** The result of checking a link. */
type LinkCheck = 'good' | 'expired' | 'forged';

export interface Links {
  /** Path and query of a link to `path` that is valid until `expiresAt` (epoch ms, stored in whole seconds). */
  sign(path: string, expiresAt: number): string;
  check(link: URL, now: number): LinkCheck;
}

/** The same secret gives the same signatures, so links survive a restart of the service. */
export function createLinks(secret: string): Links {
  function signatureOf(path: string, expires: string): string {
    return createHmac('sha256', secret).update(`${path}\n${expires}`).digest('hex');
  }
  return {
    sign(path, expiresAt) {
      const expires = String(Math.floor(expiresAt / 1000));
      return `${path}?expires=${expires}&signature=${signatureOf(path, expires)}`;
    },
    check(link, now) {
      const expires = link.searchParams.get('expires') ?? '';
      if (link.searchParams.get('signature') !== signatureOf(link.pathname, expires)) return 'forged';
      return now >= Number(expires) * 1000 ? 'expired' : 'good';
    },
  };
}
