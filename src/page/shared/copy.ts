/** Copying, exporting and importing text, as far as the browser allows. */

import { decodeSavedText } from '../../text/saved-text.ts';
import { words } from '../words.ts';
import { element } from './elements.ts';

/** A button that copies the text of `text` and says whether it worked. */
export function copyButton(text: HTMLElement, name: string = words().copy): HTMLButtonElement {
  const button = element('button', { type: 'button', class: 'copy' }, name);
  const say = (said: string) => {
    button.textContent = said;
  };
  button.addEventListener('click', async () => {
    try {
      await navigator.clipboard.writeText(text.textContent ?? '');
      say(words().copied);
    } catch {
      getSelection()?.selectAllChildren(text);
      say(words().notCopied);
    }
    setTimeout(() => say(name), 4_000);
  });
  return button;
}

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
