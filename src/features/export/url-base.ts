/** Pure. `--url-base`: the addresses that exported files will have. */

import { linkTo } from '../../files/path-link.ts';

/** The address of a path (relative, with `/`) below the base; null for a base that is no http address of a folder. */
export function addressesBelow(base: string): ((path: string) => string) | null {
  if (!/^https?:\/\/[^/]/i.test(base) || !URL.canParse(base)) return null;
  const { href, search, hash, username, password } = new URL(base);
  if (`${search}${hash}${username}${password}` !== '' || /[?#]/.test(base)) return null;
  const folder = href.replace(/\/+$/, '');
  return (path) => `${folder}/${linkTo(path)}`;
}
