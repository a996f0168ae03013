/** Validates a whole file and shows the plan, as `batch check` and a dry run do. Reads only. */

import { withKnownRows } from '../../app/naming/known-rows.ts';
import { planSample } from '../../app/offers/sample-rows.ts';
import { placeOf } from '../../app/open-run.ts';
import type { Invocation } from '../../app/options/invocation.ts';
import { withSaved } from '../../app/options/settings.ts';
import { shownName } from '../../app/options/standard-input.ts';
import { readSavedOptions } from '../../app/output-folder.ts';
import type { AccountCheck } from '../../app/service/ask-service.ts';
import { openScratch } from '../../app/stores.ts';
import { printJson, printNotice, printResult } from '../../cli/console.ts';
import { readingWork } from '../../cli/long-work.ts';
import { inEnglish, type Message, message } from '../../messages/message.ts';
import { phrasesOf } from '../../terminal/phrases/phrases.ts';
import { stageFile } from '../import/stage-file.ts';
import { unsendableLines } from '../import/unsendable-lines.ts';
import { planStaged, withoutReused } from '../reuse/plan-reuse.ts';
import { renderPlan } from './plan-text.ts';
import { planJson, planTextOf } from './run-plan.ts';

/**
 * Prints every problem and the plan; `online` is added for programs. Returns 0, 1 when rows cannot be sent, 2 when the folder holds another run. Throws when
 * the file cannot be read completely.
 */
export async function checkFile(
  file: string,
  given: Invocation,
  online?: AccountCheck | null,
): Promise<number> {
  const place = await placeOf(given);
  await place.refuseInput(file, given);
  await using opened = await place.look(given);
  const known = opened?.store ?? null;
  await using store = known ?? openScratch();
  const say = phrasesOf(given.language);
  const invocation = await withKnownRows(given, store, {
    verb: null,
    say: (said) => printNotice(say.render(said)),
  });
  const options = await planSample(store, withSaved(invocation, await readSavedOptions(store)));
  const sampled = { ...invocation, options: { ...invocation.options, only: options.only } };
  const name = shownName(file);
  const reading = options.quiet ? undefined : () => readingWork(name, given);
  const staged = await stageFile(store, file, sampled, options, { reading, verb: 'check' });
  await using ingest = staged.ingest;
  if (known === null) await place.refuseFiles(invocation, options, ingest);
  const { plan, found } = staged;
  for await (const line of unsendableLines(name, staged, say)) printNotice(line);
  const isForeign = plan.isForeign && !staged.add;
  const ledger = await store.checkpoint.ledger();
  const saying = (said: Message): void => printNotice(say.render(said));
  const reuse = await planStaged({ store, invocation, options, say: saying, pays: false }, staged, ledger);
  const text = await planTextOf({
    input: file,
    invocation,
    staged: { ...staged, plan: withoutReused(plan, reuse) },
    reuse,
    ledger,
    store,
    options,
  });
  if (invocation.options.json)
    printJson({
      file: name,
      ...found,
      notes: found.notes.map(inEnglish),
      plan: planJson(text),
      points: ledger.spent,
      ...(online === undefined ? {} : { online }),
    });
  else for (const line of renderPlan(text, say)) printResult(line);
  if (isForeign) {
    const news = message('folder.other-run-checked', { folder: invocation.outShown, file: name });
    printNotice(`batch: ${say.render(news)}`);
    return 2;
  }
  return plan.invalid > 0 ? 1 : 0;
}
