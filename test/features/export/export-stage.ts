/** A run in a folder and the folder its videos are exported to, for tests of exports. */

import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile, rename, stat, utimes, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { SeenRun } from '../../../src/app/run-handles.ts';
import { runIdOf } from '../../../src/app/run-id.ts';
import type { ExportNews } from '../../../src/features/export/export-news.ts';
import {
  type ExportRequest,
  type ExportSums,
  exportVideos,
} from '../../../src/features/export/export-videos.ts';
import type { Item } from '../../../src/money/item.ts';
import type { WireMark } from '../../../src/money/review/review-wire.ts';
import type { ReportRow } from '../../../src/stores/port/reading.ts';
import { artifactOf, rowOf } from '../../reports/report-rows.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { checkedFile } from '../../support/written.ts';

export const sha = (text: string): string => createHash('sha256').update(text).digest('hex');

type TemporaryFolder = Awaited<ReturnType<typeof temporaryFolder>>;

let stages = 0;

/** A run with files in a folder, which a test changes as a run would. */
class ExportStage implements AsyncDisposable {
  readonly folder: string;
  readonly out: string;
  readonly #folder: TemporaryFolder;
  readonly rows = new Map<string, ReportRow>();
  news: ExportNews[] = [];
  /** The secret of the run, of which its id is made. */
  secret = `secret ${stages++}`;
  marks: Pick<WireMark, 'id' | 'mark' | 'attempt'>[] = [];

  constructor(folder: TemporaryFolder) {
    this.folder = folder.path;
    this.out = join(folder.path, 'videos');
    this.#folder = folder;
  }

  get id(): string {
    return runIdOf(this.secret);
  }

  /** Makes the video of a row, as an attempt of a run does. */
  async make(
    id: string,
    bytes = `video of ${id}`,
    part: Partial<Item> = {},
    input: object = {},
  ): Promise<void> {
    const row = this.rows.get(id)?.item.row ?? this.rows.size + 1;
    const path = `folder-${row}/video.mp4`;
    await mkdir(join(this.out, dirname(path)), { recursive: true });
    await writeFile(join(this.out, `${path}.part`), bytes);
    // Older than the export, as most videos are.
    await utimes(join(this.out, `${path}.part`), 1e9, 1e9);
    await rename(join(this.out, `${path}.part`), join(this.out, path));
    const artifacts = [artifactOf({ path, sizeBytes: Buffer.byteLength(bytes), sha256: sha(bytes) })];
    const item = { id, row, folder: `folder-${row}`, title: `Title of ${id}`, artifacts, ...part };
    const cells = { id, question: `Question ${id}`, chapter: 'sums', ...input };
    this.rows.set(id, rowOf(item, { input: cells }));
  }

  async export(request: Partial<ExportRequest> = {}): Promise<ExportSums> {
    const { rows } = this;
    this.news = [];
    const checkpoint = {
      async *reportRows() {
        yield* rows.values();
      },
      async *reportPages() {
        yield [...rows.values()];
      },
      itemsWithIds: async (ids: readonly string[]) =>
        ids.flatMap((id) => (rows.has(id) ? [rows.get(id)?.item] : [])),
    };
    const sources = async () => [...new Set([...rows.values()].map(({ source }) => source))];
    const opened = {
      store: {
        checkpoint: { ...checkpoint, sources },
        settings: { get: async (name: string) => (name === 'callback-secret' ? this.secret : null) },
        reviews: { marks: async () => this.marks },
      },
      invocation: { out: this.out, outShown: './videos', shared: null, env: {} },
    } as unknown as SeenRun;
    return exportVideos(opened, {
      to: join(this.folder, 'out'),
      name: '{id}',
      only: ['completed'],
      manner: 'either',
      deletes: false,
      addressOf: null,
      page: null,
      report: (news) => this.news.push(news),
      onProgress: () => {},
      say: () => {},
      ...request,
    });
  }

  path(name: string): string {
    return join(this.folder, name);
  }

  async read(name: string): Promise<string> {
    return checkedFile(name, await readFile(this.path(name), 'utf8'));
  }

  async inode(name: string): Promise<number> {
    return (await stat(this.path(name))).ino;
  }

  /** Files and folders below the export, without those that say what it contains. */
  async names(): Promise<string[]> {
    const names = await readdir(this.path('out'), { recursive: true });
    return names.filter((name) => !/^(manifest\.(csv|jsonl)|SHA256SUMS)$/.test(name)).sort();
  }

  /** Lines of the checksums, without those that say whose the files below are. */
  async sums(): Promise<string[]> {
    return (await this.owners()).filter((line) => !line.startsWith('#'));
  }

  async owners(): Promise<string[]> {
    return (await this.read('out/SHA256SUMS')).split('\n').slice(0, -1);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#folder[Symbol.asyncDispose]();
  }
}

export async function openExportStage(...ids: string[]): Promise<ExportStage> {
  const stage = new ExportStage(await temporaryFolder());
  for (const id of ids) await stage.make(id);
  return stage;
}
