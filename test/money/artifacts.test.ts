import { describe, expect, it } from 'vitest';
import {
  allSettled,
  attemptVideos,
  frameWith,
  giveUpFrames,
  hasVideo,
  leavesFramesOut,
  noteFinalFrames,
  noteFrames,
  recordFrameNotHad,
  recordSaved,
  reopenArtifact,
  setAside,
  shownFiles,
} from '../../src/money/artifacts.ts';
import type { RemoteFrame } from '../../src/money/event.ts';
import type { Artifact, Item, SavedFile } from '../../src/money/item.ts';
import { fileAt, frameOf, freeze, itemIn, savedFrame, savedVideo } from './lives.ts';

const open = (...artifacts: Artifact[]): Item => freeze(itemIn('open', { artifacts }));
const frames = (...ids: string[]): RemoteFrame[] => ids.map((id) => ({ id, url: `https://x.example/${id}` }));
const fetch = (ordinal: number, id: string) => ({
  type: 'fetch-frame',
  ordinal,
  url: `https://x.example/${id}`,
});
const brief = (item: Item) =>
  item.artifacts.map(({ kind, ordinal, remoteId, state }) => [kind, ordinal, remoteId, state].join(' '));

describe('frames of a task that goes on', () => {
  it('are numbered in order of appearance and fetched when they first appear', () => {
    const { item, effects } = noteFrames(open(), frames('b', 'a'), 'all');
    expect(brief(item)).toEqual(['frame 1 b wanted', 'frame 2 a wanted']);
    expect(effects).toEqual([fetch(1, 'b'), fetch(2, 'a')]);
  });

  it('have nothing on disk yet', () => {
    expect(noteFrames(open(), frames('f1'), 'all').item.artifacts).toEqual([frameOf()]);
  });

  it('keep their numbers whatever order a later answer has', () => {
    const first = noteFrames(open(), frames('b', 'a'), 'all').item;
    const { item, effects } = noteFrames(first, frames('c', 'a', 'b'), 'all');
    expect(brief(item)).toEqual(['frame 1 b wanted', 'frame 2 a wanted', 'frame 3 c wanted']);
    expect(effects).toEqual([fetch(3, 'c'), fetch(2, 'a'), fetch(1, 'b')]);
  });

  it('are not fetched again once they are saved or given up', () => {
    const item = open(savedFrame, frameOf({ ordinal: 2, remoteId: 'f2', state: 'missing', tries: 3 }));
    const noted = noteFrames(item, frames('f1', 'f2'), 'all');
    expect(noted.effects).toEqual([]);
    expect(noted.item).toBe(item);
  });

  it('are one file where an answer names the same frame twice', () => {
    expect(brief(noteFrames(open(), frames('a', 'a'), 'all').item)).toEqual(['frame 1 a wanted']);
  });

  it('are known by their bytes, too: one that repeats another is its file, and is forgotten with its id', () => {
    const repeat = { ...savedFrame, ordinal: 2, remoteId: 'f2' };
    const item = open(savedFrame, repeat, frameOf({ ordinal: 3, remoteId: 'f3' }));
    const { path, sizeBytes, sha256 } = savedFrame;
    const file = { path, sizeBytes, sha256 } as SavedFile;
    expect([1, 2, 3].map((ordinal) => frameWith(item, ordinal, file))).toEqual([null, file, file]);
    expect(frameWith(item, 3, { ...file, sha256: 'other' })).toBeNull();
    expect(shownFiles(item).frames).toEqual([savedFrame]);
    expect(noteFrames(item, frames('f1', 'f2', 'f3'), 'all').item).toBe(item);
    const anew = noteFrames(item, frames('g1', 'g2'), 'all');
    expect(brief(anew.item)).toEqual([
      'frame 1 f1 saved',
      'frame 3 f3 wanted',
      'frame 4 g1 wanted',
      'frame 5 g2 wanted',
    ]);
    expect(anew.effects).toEqual([fetch(4, 'g1'), fetch(5, 'g2')]);
  });

  it('are left out by an answer that does not name one of them, and by no answer that names none', () => {
    const item = open(savedFrame, frameOf({ ordinal: 2, remoteId: 'f2' }));
    const answers = [frames('f1', 'f2', 'f3'), frames('f2', 'f3'), frames('g1'), []];
    expect(answers.map((answer) => leavesFramesOut(item, answer))).toEqual([false, true, true, false]);
    expect(leavesFramesOut(open(), frames('f1'))).toBe(false);
  });

  it('are left alone unless all are kept', () => {
    for (const choice of ['last', 'none'] as const) {
      const item = open();
      expect(noteFrames(item, frames('a'), choice)).toEqual({ item, effects: [] });
    }
  });

  it('mean nothing new when the answer has none', () => {
    const item = open(frameOf());
    expect(noteFrames(item, [], 'all').item).toBe(item);
  });
});

describe('frames of a completed task', () => {
  it('are all wanted, and one whose link is gone is given up', () => {
    const item = open(frameOf(), savedVideo, frameOf({ ordinal: 2, remoteId: 'f2' }));
    const noted = noteFinalFrames(item, frames('f2', 'f3'), 'all');
    expect(brief(noted.item)).toEqual([
      'video 0  saved',
      'frame 1 f1 missing',
      'frame 2 f2 wanted',
      'frame 3 f3 wanted',
    ]);
    expect(noted.effects).toEqual([fetch(2, 'f2'), fetch(3, 'f3')]);
  });

  it('are only the last one where the user wants that', () => {
    const noted = noteFinalFrames(open(), frames('a', 'b', 'c'), 'last');
    expect(brief(noted.item)).toEqual(['frame 1 c wanted']);
    expect(noted.effects).toEqual([fetch(1, 'c')]);
    expect(noteFinalFrames(open(), [], 'last').effects).toEqual([]);
  });

  it('are none where the user wants none, whatever was wanted before', () => {
    const noted = noteFinalFrames(open(frameOf()), frames('f1', 'f2'), 'none');
    expect(brief(noted.item)).toEqual(['frame 1 f1 missing']);
    expect(noted.effects).toEqual([]);
  });

  it('keep a video that is wanted', () => {
    const wanted: Artifact = { ...savedVideo, state: 'wanted', path: null };
    expect(brief(giveUpFrames(open(wanted, savedFrame, frameOf({ ordinal: 2, remoteId: 'f2' }))))).toEqual([
      'video 0  wanted',
      'frame 1 f1 saved',
      'frame 2 f2 missing',
    ]);
  });
});

describe('a saved file', () => {
  it('takes the place of the wanted one and keeps its frame id and tries', () => {
    const item = recordSaved(open(frameOf({ tries: 2 })), 'frame', 1, fileAt('a/frames/001.png'));
    expect(item.artifacts).toEqual([
      frameOf({ state: 'saved', path: 'a/frames/001.png', sizeBytes: 10, sha256: 'aa', tries: 2 }),
    ]);
  });

  it('stands in order: the video first, then the frames', () => {
    const withFrames = open(
      frameOf({ ordinal: 1, remoteId: 'f1' }),
      frameOf({ ordinal: 10, remoteId: 'f10' }),
      frameOf({ ordinal: 2, remoteId: 'f2' }),
    );
    const item = recordSaved(
      recordSaved(withFrames, 'video', 0, fileAt('a/video.mp4')),
      'frame',
      2,
      fileAt('x'),
    );
    expect(item.artifacts.map((artifact) => artifact.ordinal)).toEqual([0, 1, 2, 10]);
    expect(item.artifacts[0]).toEqual({ ...savedVideo, path: 'a/video.mp4' });
  });
});

describe('a frame that could not be had', () => {
  it('is given up at the third try', () => {
    const states: unknown[] = [];
    let item = open(frameOf(), frameOf({ ordinal: 2, remoteId: 'f2' }));
    for (let i = 0; i < 4; i++) {
      item = freeze(recordFrameNotHad(item, 1, false));
      states.push([item.artifacts[0]?.tries, item.artifacts[0]?.state]);
    }
    expect(states).toEqual([
      [1, 'wanted'],
      [2, 'wanted'],
      [3, 'missing'],
      [3, 'missing'],
    ]);
    expect(item.artifacts[1]).toEqual(frameOf({ ordinal: 2, remoteId: 'f2' }));
  });

  it('is given up at once when no link would help', () => {
    expect(recordFrameNotHad(open(frameOf()), 1, true).artifacts).toMatchObject([
      { tries: 1, state: 'missing' },
    ]);
  });

  it('is not taken away when it was saved meanwhile', () => {
    expect(recordFrameNotHad(open(savedFrame), 1, true).artifacts).toEqual([savedFrame]);
    expect(recordFrameNotHad(open(savedVideo), 0, true).artifacts).toEqual([savedVideo]);
  });
});

describe('a damaged file', () => {
  it('is wanted again, with all its tries, and keeps its frame id', () => {
    const item = open(savedVideo, { ...savedFrame, tries: 2 });
    const wanted = { ...savedFrame, state: 'wanted', tries: 0 };
    expect(reopenArtifact(item, 'frame', 1).artifacts).toEqual([savedVideo, wanted]);
    expect(brief(reopenArtifact(item, 'video', 0))).toEqual(['video 0  wanted', 'frame 1 f1 saved']);
  });

  it('that the item never had changes nothing', () => {
    const item = open(savedVideo, savedFrame);
    expect(reopenArtifact(item, 'frame', 7)).toEqual(item);
    expect(reopenArtifact(item, 'frame', 0)).toEqual(item);
  });
});

describe('an item', () => {
  const missing = frameOf({ state: 'missing' });

  it('has its video only when that is saved', () => {
    expect(hasVideo(open(savedVideo))).toBe(true);
    expect(hasVideo(open({ ...savedVideo, state: 'wanted' }))).toBe(false);
    expect(hasVideo(open(savedFrame))).toBe(false);
  });

  it('is settled with its video and no frame that is still wanted', () => {
    expect(allSettled(open(savedVideo))).toBe(true);
    expect(allSettled(open(savedVideo, savedFrame, missing))).toBe(true);
    expect(allSettled(open(savedVideo, frameOf()))).toBe(false);
    expect(allSettled(open(savedFrame))).toBe(false);
    expect(allSettled(open())).toBe(false);
  });
});

describe('the videos of the attempts of a row', () => {
  const folder = itemIn('open').folder;
  /** The row after its attempts 1 to `last`, each with a video. */
  const tried = (last: number): Item => {
    let item = freeze(itemIn('completed', { attempt: 1, artifacts: [savedVideo, savedFrame] }));
    for (let attempt = 2; attempt <= last; attempt++) {
      const artifacts = setAside(item, `attempt-${attempt - 1}`);
      const claimed = itemIn('open', { attempt, artifacts });
      item = freeze(recordSaved(claimed, 'video', 0, fileAt(`${folder}/video.mp4`)));
    }
    return item;
  };
  const paths = (item: Item) => attemptVideos(item).map(({ attempt, file }) => [attempt, file.path]);

  it('are all known, whatever number of attempts there were', () => {
    expect(paths(tried(1))).toEqual([[1, savedVideo.path]]);
    expect(paths(tried(4))).toEqual([
      [1, `${folder}/attempt-1/video.mp4`],
      [2, `${folder}/attempt-2/video.mp4`],
      [3, `${folder}/attempt-3/video.mp4`],
      [4, `${folder}/video.mp4`],
    ]);
    // The frames of earlier attempts are not.
    expect(tried(4).artifacts).toHaveLength(4);
  });

  it('are shown latest first, unless one is preferred that has a video', () => {
    const shown = (preferred: number | null) => shownFiles(tried(3), preferred).video?.path;
    expect(shown(null)).toBe(`${folder}/video.mp4`);
    expect(shown(2)).toBe(`${folder}/attempt-2/video.mp4`);
    expect(shown(7)).toBe(`${folder}/video.mp4`);
    expect(shownFiles(itemIn('open'), 1).video).toBeNull();
  });

  it('do not number the frames of the current one', () => {
    const claimed = itemIn('open', { attempt: 3, artifacts: setAside(tried(2), 'attempt-2') });
    expect(noteFrames(claimed, frames('a'), 'all').effects).toEqual([fetch(1, 'a')]);
  });

  it('are forgotten where a newer one took their place on the disk', () => {
    const path = `${folder}/video.mp4`;
    const item = itemIn('completed', { attempt: 1, artifacts: [{ ...savedVideo, path }] });
    const next = itemIn('open', { attempt: 2, artifacts: setAside(item, null) });
    expect(paths(next)).toEqual([[1, path]]);
    expect(paths(recordSaved(next, 'video', 0, fileAt(path)))).toEqual([[2, path]]);
  });

  it('count only where they are saved', () => {
    const [, earlier] = tried(2).artifacts.toSorted((a, b) => a.ordinal - b.ordinal);
    const gone = earlier === undefined ? [] : [{ ...earlier, state: 'missing' as const, path: null }];
    expect(paths(itemIn('open', { attempt: 2, artifacts: gone }))).toEqual([]);
  });
});
