/** Copying, and taking away and bringing in files, as far as the browser lets a page do it. */

import { decodeTable } from '../core/text/table-text.ts';
import { element } from './elements.ts';
import { words } from './words.ts';

/** A button that copies what `text` shows, and says whether it did. */
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

/** Hands the reader a text as a file. */
export function saveAs(name: string, text: string): void {
  const address = URL.createObjectURL(new Blob([text], { type: 'text/csv;charset=utf-8' }));
  element('a', { href: address, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
}

/** A button that asks for a file and passes its text on, whatever a spreadsheet saved it as. */
export function fileButton(name: string, take: (text: string) => void): HTMLElement {
  const field = element('input', { type: 'file', accept: '.csv,text/csv', hidden: true, 'aria-label': name });
  field.addEventListener('change', async () => {
    const content = await field.files?.[0]?.arrayBuffer();
    field.value = '';
    if (content !== undefined) take(decodeTable(new Uint8Array(content)));
  });
  const button = element('button', { type: 'button', click: () => field.click() }, name);
  return element('span', {}, button, field);
}
