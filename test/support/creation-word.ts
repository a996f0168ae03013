import type { CreationEvent } from '../../src/money/event.ts';

/** How a creation ended, as one word for tables of tests. */
export type CreationWord = 'accepted' | 'refused' | 'uncertain' | 'not-sent' | 'misconfigured' | 'barred';

export function wordOf(event: CreationEvent): CreationWord {
  if (event.type === 'creation-not-sent' && event.endsRun !== undefined) return 'misconfigured';
  return event.type.replace('creation-', '') as CreationWord;
}
