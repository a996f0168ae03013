import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import {
  type FailureGroup,
  failureKind,
  isWantedFailure,
  listedKinds,
  listGroups,
  plainFailure,
  wantedFailure,
} from '../../src/money/failure-groups.ts';
import type { Status } from '../../src/money/item.ts';

describe('the kind of a failure', () => {
  it.each([
    ['内容不符合规范', '内容不符合规范'],
    ['Task task-17 of row q-4: no answer', 'Task … of row …: no answer'],
    ['HTTP 502: Bad gateway', 'HTTP …: Bad gateway'],
    ['2026-03-01T08:15:00.123Z: timeout after 1,200.5 s', '…T…Z: timeout after … s'],
    ['connect ECONNREFUSED 127.0.0.1:4010', 'connect ECONNREFUSED …'],
    ['see https://video.example/tasks/17?… for more', 'see … for more'],
    [
      'questionImages: "figures/17.png" is missing or not a file',
      'questionImages: "…" is missing or not a file',
    ],
    ['quality is "extra fine"; use h, m, l', 'quality is "extra fine"; use h, m, l'],
    ['request 0b8f7a52-3c1d-4e6f-8a9b-0c1d2e3f4a5b was refused', 'request … was refused'],
    ['trace 4bf92f3577b34da6a3ce929d0e0e4736', 'trace …'],
    ['第１７题：太长', '第…题：太长'],
    ['  two\r\nlines\u200b\u001b[31m ', 'two lines […m'],
    [
      'waits for the video of q-7 in /x/2024, which has the same question',
      'waits for the video of … in /x/2024, which has the same question',
    ],
    ['', ''],
  ])('of %j is %j', (failure, kind) => {
    expect(failureKind(failure, ['task-17', 'q-4'])).toBe(kind);
  });

  it('has nothing of the row in it, and keeps words that only contain its name', () => {
    expect(failureKind('row a: a bad answer about a, said a', ['', 'a'])).toBe(
      'row …: … bad answer about …, said …',
    );
  });

  it('is the same for its own text, so that it can be shown, copied and given back', () => {
    fc.assert(
      fc.property(anyFailure, fc.array(fc.string({ maxLength: 4 })), (failure, names) => {
        const kind = failureKind(failure, names);
        expect(failureKind(kind, [])).toBe(kind);
        expect(plainFailure(kind)).toBe(kind);
      }),
    );
  });
});

/** Texts in which what is cut out, and what looks like it, is frequent. */
const anyFailure = fc
  .array(
    fc.oneof(
      fc.string({ unit: 'binary', maxLength: 6 }),
      fc.constantFrom(
        '"',
        '/',
        '://',
        'http',
        '.',
        '…',
        ' ',
        '17',
        'q-4',
        'error',
        '\n',
        '-',
        'abcdef012345',
      ),
    ),
  )
  .map((parts) => parts.join(''));

describe('a failure is meant', () => {
  const names = ['task-17', 'q-4'];
  it.each([
    ['render error', true],
    ['render error: timeout after 17 s', true],
    ['render\n error', true],
    ['Render error', false],
    ['after 18 s', false],
    ['timeout after … s', true],
    ['"render error"', false],
    ['"render error: timeout after 17 s"', true],
    ['"render error: timeout after 99 s"', true],
    ['"render error: timeout after … s"', true],
  ])('by %j: %s', (wanted, is) => {
    expect(isWantedFailure('render error: timeout after 17 s', names, wanted)).toBe(is);
  });

  it('that says nothing, by two quotes', () => {
    expect(isWantedFailure('', names, '""')).toBe(true);
    expect(isWantedFailure('x', names, '""')).toBe(false);
  });
});

interface Row {
  readonly id: string;
  readonly failure: string;
}

/** Groups as the checkpoint makes them. */
function groupsOf(rows: readonly Row[], status: Status = 'failed'): FailureGroup[] {
  const kinds = new Map<string, Row[]>();
  for (const row of rows) {
    const kind = failureKind(row.failure, [row.id]);
    kinds.set(kind, [...(kinds.get(kind) ?? []), row]);
  }
  return [...kinds].map(([kind, [first = { id: '', failure: '' }, ...rest]]) => ({
    status,
    kind,
    failure: rest.every(({ failure }) => failure === first.failure) ? first.failure : null,
    count: rest.length + 1,
    inFile: rest.length + 1,
    someId: first.id,
  }));
}

test('only the first groups are listed, and it is said where others are left', () => {
  const groups = Array.from({ length: listedKinds + 1 }, (_, at) =>
    groupsOf([{ id: 'a', failure: `x${at}` }]),
  ).flat();
  expect(listGroups(groups)).toEqual({ groups: groups.slice(0, listedKinds), areAll: false });
  expect(listGroups(groups.slice(1)).areAll).toBe(true);
  expect(listGroups([], true)).toEqual({ groups: [], areAll: false });
});

describe('the words for a group', () => {
  test('are none where its status says it all', () => {
    const [group] = groupsOf([{ id: 'a', failure: 'x' }]);
    const other = groupsOf([{ id: 'b', failure: 'y' }], 'rejected');
    if (group === undefined) throw new Error('no group');
    expect(wantedFailure(group, { groups: [group, ...other], areAll: true })).toBeNull();
    expect(wantedFailure(group, { groups: [group, ...other], areAll: false })).toBe('"x"');
  });

  test('are the failure itself where no other failure has it in it', () => {
    const groups = groupsOf([
      { id: 'a', failure: '内容不符合规范' },
      { id: 'b', failure: 'render error' },
      { id: 'c', failure: 'render error: timeout' },
    ]);
    expect(groups.map((group) => wantedFailure(group, { groups, areAll: true }))).toEqual([
      '内容不符合规范',
      '"render error"',
      'render error: timeout',
    ]);
  });

  test('mean the rows of this group and no others, whatever the texts are', () => {
    const id = fc.constantFrom('a', 'b7', 'error', 'q-4');
    const rows = fc.array(fc.record({ id, failure: anyFailure }), { minLength: 1 });
    fc.assert(
      fc.property(rows, (all) => {
        const groups = groupsOf(all);
        for (const group of groups) {
          const wanted = wantedFailure(group, { groups, areAll: true });
          if (wanted === null) continue;
          const meant = all.filter((row) => isWantedFailure(row.failure, [row.id], wanted));
          expect(meant).toEqual(all.filter((row) => failureKind(row.failure, [row.id]) === group.kind));
        }
      }),
      { numRuns: 300 },
    );
  });
});
