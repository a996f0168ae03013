/** What limits the names of files on the systems in use. */

/** Names that Windows reserves for devices, with or without an extension. */
const deviceName =
  /^(con|prn|aux|nul|clock\$|com[0-9\u00b9\u00b2\u00b3]|lpt[0-9\u00b9\u00b2\u00b3]|conin\$|conout\$) *(\.|$)/i;

/** True for a name under which Windows opens a device. */
export function isDeviceName(name: string): boolean {
  return deviceName.test(name);
}

/** The start of the text that is no longer in UTF-8; no character is cut in two. */
export function cutToBytes(text: string, maxBytes: number): string {
  let bytes = 0;
  let cut = '';
  for (const letter of text) {
    bytes += utf8Length(letter);
    if (bytes > maxBytes) break;
    cut += letter;
  }
  return cut;
}

export function utf8Length(text: string): number {
  return new TextEncoder().encode(text).length;
}
