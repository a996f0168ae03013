/** The address of a service, and what a user may have written for it. */

/** The address that a host alone means, with a path and a port where they are named; null for any other text. */
export function withScheme(value: string): string | null {
  const [, host = ''] =
    /^(localhost|[\w-]+(?:\.[\w-]+)+)(?::\d{1,5})?(?:\/[\w./-]*)?$/i.exec(value.trim()) ?? [];
  if (host === '') return null;
  const whole = `${/^(?:localhost|[\d.]+)$/i.test(host) ? 'http' : 'https'}://${value.trim()}`;
  return isServiceUrl(whole) ? (beforeApi(whole) ?? whole) : null;
}

/** The address of a service, out of that of one of its requests; null where it is none. */
export function beforeApi(value: string): string | null {
  return /^(.*?)\/+api\/+(?:gen_video|get_status)\b/.exec(value)?.[1] ?? null;
}

export function isServiceUrl(value: string): boolean {
  // The parser drops line breaks and tabs.
  if (/\s/.test(value.trim()) || !URL.canParse(value)) return false;
  const url = new URL(value);
  const isPlain = url.username === '' && url.password === '' && !value.includes('?') && !value.includes('#');
  return (url.protocol === 'http:' || url.protocol === 'https:') && isPlain;
}
