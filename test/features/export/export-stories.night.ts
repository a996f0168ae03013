/**
 * Random stories of a folder to which two runs export and in which a user works. Whatever they do, (1) a file that a run did
 * not put there is as it was after each of its exports, (2) so is a file of its own that somebody has changed, (3) an
 * export that is refused has changed nothing, and (4) the manifest has the rows of one run, whose exports alone are not refused.
 */

import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { UsageError } from '../../../src/errors.ts';
import type { ReportRow } from '../../../src/stores/port/reading.ts';
import { manifestLines } from '../../support/written.ts';
import { openExportStage } from './export-stage.ts';

type Stage = Awaited<ReturnType<typeof openExportStage>>;

const ids = ['a', 'b', 'c', 'd'];
const anyRun = fc.nat({ max: 1 });
const anyId = fc.constantFrom(...ids);
const anyName = fc.constantFrom('{id}', '{id}', '{id}', '{title}', '{chapter}/{id}');
const anyOnly = fc.constantFrom(['completed'], ['completed'], ['a', 'b'], ['c']);
const anyManner = fc.constantFrom('either' as const, 'copy' as const);

const anyStep = fc.oneof(
  fc.record({ does: fc.constant('make' as const), run: anyRun, id: anyId, isTwin: fc.boolean() }),
  fc.record({ does: fc.constant('renumber' as const), run: anyRun }),
  fc.record({ does: fc.constant('lose' as const), run: anyRun, id: anyId }),
  {
    weight: 4,
    arbitrary: fc.record({
      does: fc.constant('export' as const),
      run: anyRun,
      name: anyName,
      only: anyOnly,
      manner: anyManner,
      deletes: fc.boolean(),
    }),
  },
  fc.record({ does: fc.constant('edit' as const), at: fc.nat({ max: 9 }) }),
  fc.record({ does: fc.constant('put' as const), id: anyId, isCaptions: fc.boolean() }),
  fc.record({ does: fc.constant('remove' as const), at: fc.nat({ max: 9 }) }),
);
type Step = typeof anyStep extends fc.Arbitrary<infer T> ? T : never;

/** Videos and captions in the folder, with their bytes. */
async function videosIn(stage: Stage): Promise<Map<string, string>> {
  const names = await stage.names().catch(() => []);
  const files = names.filter((name) => /\.(mp4|vtt)$/.test(name));
  return new Map(
    await Promise.all(files.map(async (name) => [name, await stage.read(`out/${name}`)] as const)),
  );
}

class Story {
  readonly #stages: readonly Stage[];
  readonly #out: string;
  /** Who wrote a file last, and with which bytes. */
  readonly #written = new Map<string, { readonly by: string; readonly bytes: string }>();
  #takes = 0;
  /** Id of the run whose export is there. */
  #owner: string | null = null;

  constructor(stages: readonly Stage[]) {
    this.#stages = stages;
    this.#out = this.#first.path('out');
  }

  get #first(): Stage {
    return this.#stages[0] as Stage;
  }

  async play(step: Step): Promise<void> {
    if (step.does === 'export') await this.#export(step);
    else if (step.does === 'edit' || step.does === 'remove') await this.#disturb(step);
    else if (step.does === 'put')
      await this.#userWrites(`${step.id}.${step.isCaptions ? 'vtt' : 'mp4'}`, `by hand ${this.#takes++}`);
    else await this.#change(step);
  }

  /** Something becomes of the run. */
  async #change(step: Extract<Step, { does: 'make' | 'renumber' | 'lose' }>): Promise<void> {
    const stage = this.#stages[step.run] as Stage;
    if (step.does === 'renumber') {
      const rows = [...stage.rows.values()];
      stage.rows.clear();
      for (const [at, row] of rows.entries()) {
        const id = rows[(at + 1) % rows.length]?.item.id as string;
        stage.rows.set(id, { ...row, item: { ...row.item, id } } as ReportRow);
      }
      return;
    }
    const known = stage.rows.get(step.id);
    if (step.does === 'lose') {
      if (known !== undefined) await rm(join(stage.out, known.item.folder), { recursive: true, force: true });
      return;
    }
    // A twin has the same title and bytes in both runs.
    const bytes = step.isTwin ? `twin ${step.id}` : `run ${step.run} take ${this.#takes++}`;
    const attempt = (known?.item.attempt ?? 0) + 1;
    await stage.make(step.id, bytes, { attempt, title: `Title ${step.id}` });
  }

  async #disturb({ does, at }: Extract<Step, { does: 'edit' | 'remove' }>): Promise<void> {
    const names = [...(await videosIn(this.#first)).keys()];
    const name = names[at % Math.max(1, names.length)];
    if (name === undefined) return;
    // An editor writes a new file: a hard link to the video of the run stays.
    await rm(join(this.#out, name));
    this.#written.delete(name);
    if (does === 'edit') await this.#userWrites(name, `edited ${this.#takes++}`);
  }

  async #userWrites(name: string, bytes: string): Promise<void> {
    await mkdir(dirname(join(this.#out, name)), { recursive: true });
    await rm(join(this.#out, name), { force: true });
    await writeFile(join(this.#out, name), bytes);
    this.#written.set(name, { by: 'user', bytes });
  }

  async #export({ run, name, only, manner, deletes }: Extract<Step, { does: 'export' }>): Promise<void> {
    const stage = this.#stages[run] as Stage;
    const before = await videosIn(this.#first);
    const request = { to: this.#out, name, only: [...only], manner, deletes };
    const refused = await stage.export(request).then(
      () => false,
      (error: unknown) => {
        if (error instanceof UsageError) return true;
        throw error;
      },
    );
    const after = await videosIn(this.#first);
    for (const [path, bytes] of before) {
      if (after.get(path) === bytes) continue;
      expect(refused, `${path} was changed by an export that was refused`).toBe(false);
      expect(this.#written.get(path), `${path} was not of run ${run}, or was changed`).toEqual({
        by: stage.id,
        bytes,
      });
      if (!after.has(path)) this.#written.delete(path);
    }
    for (const [path, bytes] of after)
      if (before.get(path) !== bytes) this.#written.set(path, { by: stage.id, bytes });
    if (!refused) await this.#readManifest(after);
  }

  async #readManifest(files: ReadonlyMap<string, string>): Promise<void> {
    const entries = manifestLines(await readFile(join(this.#out, 'manifest.jsonl'), 'utf8'));
    const paths = entries.map(({ path }) => path);
    expect(new Set(paths).size).toBe(paths.length);
    for (const { path, run } of entries) {
      this.#owner ??= run;
      expect(run, path).toBe(this.#owner);
      const author = this.#written.get(path)?.by;
      // What the user has changed or removed since is that run's to say at its next export.
      if (author !== undefined && author !== 'user') expect(run, path).toBe(author);
      else expect(author === 'user' || !files.has(path)).toBe(true);
    }
  }
}

it('no export changes what another run or a user has put into the folder', { timeout: 900_000 }, async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(anyStep, { minLength: 6, maxLength: 14 }), async (steps) => {
      await using one = await openExportStage('a', 'b');
      await using other = await openExportStage('b', 'c');
      const story = new Story([one, other]);
      for (const step of steps) await story.play(step);
    }),
    { numRuns: 300 },
  );
});
