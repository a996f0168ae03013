/** The program behind `batch-check.cmd` and `batch-run.cmd`: shows the plan of a dropped table, asks, and makes its videos. */

import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline/promises';
import { fileURLToPath } from 'node:url';
import { type Message, message, sayIn } from '../messages/message.ts';
import { phrasesOf } from '../terminal/phrases/phrases.ts';
import { languageOfLocale } from '../text/languages.ts';
import { type Drop, type DropCommand, isDrop, planDrop } from './drop-plan.ts';
import { droppedFiles } from './dropped-files.ts';

const { env } = process;
const language = languageOfLocale(env, () => Intl.DateTimeFormat().resolvedOptions().locale);
const program = fileURLToPath(new URL('dist/cli.js', import.meta.url));

const say = (said: Message): unknown => process.stderr.write(`${sayIn(language, said)}\n`);

/** The program's exit code. */
function batch(args: readonly string[], cwd: string): Promise<number> {
  const child = spawn(process.execPath, [program, ...args], { cwd, stdio: 'inherit' });
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code) => resolve(code ?? 1));
  });
}

/** False at the end of input too. */
async function hasSaidYes(question: Message): Promise<boolean> {
  const reader = createInterface({ input: process.stdin, output: process.stderr });
  const ended = new Promise<string>((resolve) => reader.once('close', () => resolve('')));
  const answer = await Promise.race([reader.question(sayIn(language, question)), ended]);
  reader.close();
  return phrasesOf(language).plan.yes.test(answer.trim());
}

async function carryOut({ folder, plan, run }: Drop): Promise<number> {
  const planned = await batch(plan, folder);
  // 2: nothing can be sent as it is.
  if (run === null || planned === 2) return planned;
  if (await hasSaidYes(message('dropped.question'))) return await batch(run, folder);
  say(message('dropped.no'));
  return 0;
}

// Ctrl-C is for the program, which ends its run by it; this one waits for that end.
process.on('SIGINT', () => {});
const command: DropCommand = process.argv[2] === 'run' ? 'run' : 'check';
const planned = planDrop(
  command,
  droppedFiles({
    name: env.BATCH_DROP_NAME ?? '',
    commandLine: env.BATCH_DROP_LINE ?? '',
    words: [env.BATCH_DROP_1 ?? '', env.BATCH_DROP_2 ?? ''],
  }),
);
if (isDrop(planned)) process.exitCode = await carryOut(planned);
else {
  say(planned);
  process.exitCode = 2;
}
say(message('dropped.press-key'));
