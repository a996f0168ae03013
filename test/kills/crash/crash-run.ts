/** Crashes of the real program at named points, one by one and in chains, and what must hold after each. */

import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { quickPauses, swiftly } from '../../cli/support/program.ts';
import { openStage, questions, type Stage } from '../../cli/support/stage.ts';
import { exitCodeOf, fileFlaws, filesBelow, moneyFlaws, readCheckpoint, readReport } from '../oracle.ts';
import type { CrashPoint } from './points.ts';
import { crashVariables } from './reach.ts';
import { createStoryService, inputName, type StoryService, stories } from './stories.ts';

const out = 'videos';
const preload = fileURLToPath(new URL('crash-at.ts', import.meta.url));

/** Lets the line run, dying at the point; a census instead writes down all points it comes to. */
function crashing(
  stage: Stage,
  line: readonly string[],
  at: { readonly point?: string; readonly census?: string; readonly isSwift?: boolean },
) {
  const env = { [crashVariables.at]: at.point, [crashVariables.census]: at.census };
  // Nothing else runs swiftly: there a file has a tenth of a second, which a busy machine may take.
  const clock = at.isSwift === true ? [...swiftly, ...quickPauses.node] : [];
  return stage.batch(line, { node: [...clock, '--import', preload], env });
}

/** Names of all points that a plain run of one row comes to. */
export async function takeCensus(): Promise<readonly string[]> {
  const service = createStoryService(null);
  await using stage = await openStage(service.script);
  await stage.write(inputName, questions('r1'));
  await crashing(stage, stories.whole.line, { census: join(stage.folder, 'census') });
  return (await stage.read('census')).split('\n').slice(0, -1);
}

/** Crashes once at the point, in its story, and goes on to the end. Returns the broken promises. */
export async function crashOnce(point: CrashPoint): Promise<string[]> {
  const story = stories[point.story];
  const service = createStoryService(story.ailment ?? null);
  await using stage = await openStage(service.script);
  await stage.write(inputName, questions('r1'));
  const crash = async (line: readonly string[], at: string): Promise<void> => {
    const { signal, stderr } = await crashing(stage, line, {
      point: at,
      isSwift: story.takesMinutes === true,
    });
    if (signal !== 'SIGKILL') flaws.push(`"${at}" was not reached: ${stderr}`);
  };
  const flaws: string[] = [];
  await story.prepare?.({ stage, service, crash });
  await crash(story.line, point.name);
  const orders = new Map([['r1', story.orders ?? 0]]);
  flaws.push(...(await folderFlaws(stage, service, orders)));

  service.ailment = keptAilment(service);
  const lines = story.afterwards ?? [story.line];
  for (const line of lines) {
    const { code } = await stage.batch(line);
    if (line === lines.at(-1)) flaws.push(...endFlaws(stage, code));
  }
  flaws.push(...(await folderFlaws(stage, service, orders)));
  const statuses = readReport(join(stage.folder, out)).map(({ status }) => status);
  const expected = point.isInDoubt ? 'uncertain' : story.ends;
  if (statuses.join() !== expected) flaws.push(`the row is ${statuses}, not ${expected}`);
  return flaws.map((flaw) => `${point.name}: ${flaw}`);
}

/** What a service did for good; everything else passes with the crash. */
function keptAilment({ ailment }: StoryService): StoryService['ailment'] {
  return ailment === 'refuses' || ailment === 'is silent' || ailment === 'fails tasks' ? ailment : null;
}

/**
 * One folder, one process after the other, each with a new row, each dying at the next point: so every point is both
 * the first of a pair and, in the recovery from the point before, the second. Then the run goes on to its end.
 */
export async function crashChain(chain: readonly CrashPoint[]): Promise<string[]> {
  const service = createStoryService(null);
  await using stage = await openStage(service.script);
  await stage.write(inputName, questions(...chain.map((_, i) => `r${i + 1}`)));
  const line = ['run', inputName, '--quiet', '--poll-interval', '30ms', '-j', '999'];
  const flaws: string[] = [];
  const inDoubt = new Set<string>();
  let before = 'the start';
  for (const point of chain) {
    const where = `${point.name}, after a crash at ${before}`;
    const { signal, stderr } = await crashing(stage, [...line, '--limit', '1'], { point: point.name });
    if (signal !== 'SIGKILL') flaws.push(`${where}: not reached: ${stderr}`);
    const submitting = (await readCheckpoint(join(stage.folder, out))).filter(
      ({ status }) => status === 'submitting',
    );
    if (point.isInDoubt && submitting.length !== 1)
      flaws.push(`${where}: ${submitting.length} rows are in doubt`);
    if (submitting.length > 1) flaws.push(`${where}: more rows are in doubt than were sent`);
    for (const { id } of submitting) inDoubt.add(id);
    flaws.push(...(await folderFlaws(stage, service)).map((flaw) => `${where}: ${flaw}`));
    before = point.name;
  }
  flaws.push(...(await chainEndFlaws(stage, service, line, inDoubt)));
  return flaws;
}

async function chainEndFlaws(
  stage: Stage,
  service: StoryService,
  line: readonly string[],
  inDoubt: ReadonlySet<string>,
): Promise<string[]> {
  const { code } = await stage.batch(line);
  const flaws = [...endFlaws(stage, code), ...(await folderFlaws(stage, service))];
  for (const { id, status } of readReport(join(stage.folder, out))) {
    const expected = inDoubt.has(id) ? 'uncertain' : 'completed';
    if (status !== expected) flaws.push(`${id} is ${status} at the end, not ${expected}`);
  }
  const creations = stage.service.creations.length;
  await stage.batch(line);
  if (stage.service.creations.length !== creations) flaws.push('the same line again submitted something');
  return flaws;
}

async function folderFlaws(
  stage: Stage,
  { accepted }: StoryService,
  orders: ReadonlyMap<string, number> = new Map(),
): Promise<string[]> {
  const path = join(stage.folder, out);
  const rows = await readCheckpoint(path);
  const inputs = new Set([inputName, 'picture.png']);
  const outside = filesBelow(stage.folder).filter((name) => !name.startsWith(`${out}/`) && !inputs.has(name));
  return [
    ...moneyFlaws(rows, { accepted, orders }),
    ...fileFlaws(path, rows),
    ...outside.map((name) => `${name} lies outside the output folder`),
  ];
}

function endFlaws(stage: Stage, code: number | null): string[] {
  const expected = exitCodeOf(readReport(join(stage.folder, out)));
  return code === expected ? [] : [`exit code ${code} instead of ${expected}`];
}
