import { describe, expect, it } from 'vitest';
import { comparePlaces, type FolderPlace } from '../../src/files/folder-place.ts';

const home: FolderPlace = { machine: 'm1', path: '/videos', inode: '7', birth: '100' };
const bare: FolderPlace = { ...home, machine: null, birth: null };

describe('a folder and where it was last paid from', () => {
  it.each<[what: string, then: FolderPlace, now: Partial<FolderPlace>, change: string | null]>([
    ['is where it was', home, {}, null],
    ['is on another computer', home, { machine: 'm2' }, 'other-machine'],
    ['is on a computer without a name', home, { machine: null }, null],
    ['was on a computer without a name', bare, { machine: 'm1' }, null],
    ['was renamed', home, { path: '/other' }, 'renamed'],
    ['was copied', home, { path: '/other', inode: '8', birth: '200' }, 'elsewhere'],
    [
      'was copied onto a disk where it has the same number',
      home,
      { path: '/other', birth: '200' },
      'elsewhere',
    ],
    ['was replaced by a copy', home, { inode: '8', birth: '200' }, 'replaced'],
    ['was replaced by a copy that took its number', home, { birth: '200' }, 'replaced'],
    ['has another number since the disk was mounted anew', home, { inode: '8' }, null],
    ['was renamed where no time of its making is told', bare, { path: '/other' }, 'renamed'],
    ['was copied where no time of its making is told', bare, { path: '/other', inode: '8' }, 'elsewhere'],
    ['was replaced where no time of its making is told', bare, { inode: '8' }, 'replaced'],
    ['was replaced on a system that does not tell any more', home, { inode: '8', birth: null }, 'replaced'],
  ])('%s', (_, then, now, change) => {
    expect(comparePlaces(then, { ...then, ...now })).toBe(change);
  });
});
