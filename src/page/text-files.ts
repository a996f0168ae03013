/** Texts as files: offered as a download, or read. */

import { decodeSavedText } from '../text/saved-text.ts';
import { element } from './shared/elements.ts';

/** Offers a text as a download. */
export function saveAs(name: string, text: string): void {
  const address = URL.createObjectURL(new Blob([text], { type: 'text/csv;charset=utf-8' }));
  element('a', { href: address, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
}

/** A button that asks for a file and passes on its text, in any encoding a spreadsheet saves. */
export function fileButton(name: string, read: (text: string) => void): HTMLElement {
  const field = element('input', { type: 'file', accept: '.csv,text/csv', hidden: true, 'aria-label': name });
  field.addEventListener('change', async () => {
    const content = await field.files?.[0]?.arrayBuffer();
    field.value = '';
    if (content !== undefined) read(decodeSavedText(new Uint8Array(content)));
  });
  const button = element('button', { type: 'button', click: () => field.click() }, name);
  return element('span', {}, button, field);
}
