/** Copying text, as far as the browser allows. */

import { element } from './elements.ts';
import { sharedWords } from './words.ts';

/** A button that copies the text of `text` and says whether it worked. */
export function copyButton(text: HTMLElement, name: string = sharedWords().copy): HTMLButtonElement {
  const button = element('button', { type: 'button', class: 'copy' }, name);
  const say = (said: string) => {
    button.textContent = said;
  };
  button.addEventListener('click', async () => {
    try {
      await navigator.clipboard.writeText(text.textContent ?? '');
      say(sharedWords().copied);
    } catch {
      getSelection()?.selectAllChildren(text);
      say(sharedWords().notCopied);
    }
    setTimeout(() => say(name), 4_000);
  });
  return button;
}
