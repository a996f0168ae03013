/** Looks into each video once, and remembers what was seen by the digest of its bytes. */

import { statSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import type { OpenRun } from '../../app/run-handles.ts';
import type { Inspection } from '../../money/inspection/inspection.ts';
import type { SavedFile } from '../../money/item.ts';
import { localFileAccess } from '../../outputs/local-file-access.ts';
import { inspectFile } from '../../outputs/open-root.ts';
import type { Inspections } from '../../stores/port/reviews.ts';
import { openPlayer } from './ffmpeg.ts';
import { openVideoBytes } from './video-bytes.ts';
import { openContainerReader } from './video-container.ts';

/** Videos after which what was seen is saved: a look takes longer than its share of the save. */
const savedTogether = 20;

export interface VideoInspector extends AsyncDisposable {
  /** Videos that this process looked into. */
  readonly looked: number;
  /** What is not installed here, so that less is seen: `mediabunny`, `ffmpeg`. */
  readonly lacking: readonly string[];
  /**
   * Looks into a saved video, unless it is known by all that can be seen here, or has other bytes now: what is seen is
   * remembered for those that were saved. `isCompared` where the caller has just compared them.
   */
  inspect(file: SavedFile, isCompared: boolean): Promise<void>;
  /** Saves what was seen. */
  flush(): Promise<void>;
}

/** `inspections` may be those of a run that another process works on. Throws `DiskError` where a file cannot be read. */
export async function openInspector(
  run: Pick<OpenRun, 'invocation'>,
  inspections: Inspections,
): Promise<VideoInspector> {
  const [reader, player, bytes] = [
    await openContainerReader(),
    await openPlayer(),
    await openVideoBytes(run),
  ];
  const waiting = new Map<string, Inspection>();
  let looked = 0;

  const flush = async (): Promise<void> => {
    if (waiting.size === 0) return;
    await inspections.save([...waiting].map(([sha256, inspection]) => ({ sha256, inspection })));
    waiting.clear();
  };

  const isKnown = ({ container, playback }: Inspection): boolean =>
    (reader === null || container !== null) && (player === null || playback !== null);

  const look = async (path: string, known: Inspection | undefined): Promise<Inspection> => {
    const container = known?.container ?? null;
    const playback = known?.playback ?? null;
    return {
      container: container ?? (reader === null ? null : await readContainer(reader, path)),
      playback: playback ?? (player === null ? null : await player.play(path)),
    };
  };

  return {
    get looked() {
      return looked;
    },
    lacking: [...(reader === null ? ['mediabunny'] : []), ...(player === null ? ['ffmpeg'] : [])],
    async inspect(file, isCompared) {
      const { sha256 } = file;
      if (waiting.has(sha256)) return;
      const known = (await inspections.find([sha256])).get(sha256);
      if (known !== undefined && isKnown(known)) return;
      const seen = await bytes.withLocal(file, async (path) =>
        isCompared || (await inspectFile(dirname(path), basename(path)))?.sha256 === sha256
          ? await look(path, known)
          : null,
      );
      if (seen === null) return;
      looked += 1;
      waiting.set(sha256, seen);
      if (waiting.size >= savedTogether) await flush();
    },
    flush,
    [Symbol.asyncDispose]: () => bytes[Symbol.asyncDispose](),
  };
}

async function readContainer(
  reader: NonNullable<Awaited<ReturnType<typeof openContainerReader>>>,
  path: string,
): Promise<Inspection['container']> {
  const file = localFileAccess(path, statSync(path).size);
  try {
    return await reader.read(path, file);
  } finally {
    await file.close();
  }
}
