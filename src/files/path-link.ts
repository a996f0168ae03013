/** A relative path (with `/`) as a relative link; an address is one already. Most paths need no change. */
export function linkTo(path: string): string {
  if (/^[\w./-]*$/.test(path) || /^https?:\/\//.test(path)) return path;
  return path.toWellFormed().split('/').map(encodeURIComponent).join('/');
}
