import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { doubtOf } from '../../src/money/row-identity.ts';
import { type CheckpointFolder, openScratchCheckpoint } from '../support/checkpoint-folder.ts';
import { incomingRows, source, type WrittenRow } from '../support/incoming-rows.ts';
import { completed, liveOn } from '../support/saved-lives.ts';

/** The page that users read: what it says of each edit is what is tried. */
const page = readFileSync(new URL('../../docs/edited-files.md', import.meta.url), 'utf8');

/** `1:A 2:B` is a row with the id 1 and the text A, and one with 2 and B; `A` is a row without an id. */
function rowsOf(text: string): WrittenRow[] {
  return text.split(' ').map((row) => {
    const [question = '', id] = row.split(':').reverse();
    return { question, ...(id === undefined ? {} : { id }) };
  });
}

interface Edit {
  readonly name: string;
  readonly files: readonly (readonly WrittenRow[])[];
  /** Texts that are sent for the last file; null where it is refused. */
  readonly sent: readonly string[] | null;
}

function* editsOf(table: string): Generator<Edit> {
  for (const line of table
    .split('\n')
    .filter((each) => each.startsWith('| '))
    .slice(2)) {
    const [, name = '', file = '', , sends = ''] = line.split('|').map((cell) => cell.trim());
    const named = [...file.matchAll(/`([^`]+)`/g)].map(([, text = '']) => rowsOf(text));
    const first = file.startsWith('from ') ? [] : [rowsOf('1:A 2:B 3:C')];
    const sent = sends.includes('exit 2') ? null : (sends.split(';')[0]?.match(/\b[A-Z]\b/g) ?? []);
    yield { name, files: [...first, ...named], sent };
  }
}

const edits = [
  ...editsOf(page.slice(page.indexOf('## Every kind of edit'), page.indexOf('## When it is ambiguous'))),
];

/** Sends all that waits, and gives its texts. */
async function sendAll({ checkpoint }: CheckpointFolder): Promise<string[]> {
  const sent: string[] = [];
  for await (const { key, id } of checkpoint.items(['pending'], 'inFile')) {
    sent.push(String((await checkpoint.input(key)).input.question));
    await liveOn(checkpoint, id, ...completed(`task of ${key}`));
  }
  return sent;
}

async function importFile({ store }: CheckpointFolder, file: readonly WrittenRow[]): Promise<boolean> {
  await using ingest = await store.openIngest();
  await ingest.add(incomingRows(...file));
  await ingest.match({ add: false, isMended: false });
  const trust = { isSaid: false, isGuessed: false, rerunChanged: false, add: false, isMended: false };
  if (doubtOf(await ingest.idFacts(), trust) !== null) return false;
  await ingest.apply({ source, at: 0, add: false, isMended: false, rerunChanged: false });
  return true;
}

describe('the table of edits is true', () => {
  it('and has them all', () => expect(edits.length).toBeGreaterThanOrEqual(18));

  it.each(edits)('$name', async ({ files, sent }) => {
    await using folder = openScratchCheckpoint();
    let last: string[] | null = null;
    for (const file of files) last = (await importFile(folder, file)) ? await sendAll(folder) : null;
    expect(last).toEqual(sent);
  });
});
