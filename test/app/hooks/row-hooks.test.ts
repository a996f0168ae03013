import { expect, it } from 'vitest';
import { RowHooks } from '../../../src/app/hooks/row-hooks.ts';
import { systemClock } from '../../../src/app/system-clock.ts';
import type { HookCall } from '../../../src/stores/port/hooks.ts';
import { rowOf } from '../../reports/report-rows.ts';
import { checkHookInput } from '../../support/written.ts';

function owedCall(key: number): HookCall {
  return { key, id: `q${key}`, attempt: 1, state: 'owed', tries: 0, failure: null };
}

it('a call that ends while the store is asked for the next ones is made once', async () => {
  const owed = new Map([1, 2].map((key) => [`q${key}`, owedCall(key)]));
  const ends = new Map([...owed.keys()].map((id) => [id, Promise.withResolvers<void>()]));
  const heard: string[] = [];
  const areBegun = Promise.withResolvers<void>();
  const isAskedAgain = Promise.withResolvers<void>();
  const isLast = Promise.withResolvers<void>();
  const answers = Promise.withResolvers<void>();
  const hooks = new RowHooks({
    calls: {
      begin: async () => {},
      again: async () => {},
      counts: async () => ({ owed: owed.size, failed: 0, done: 0 }),
      // It reads at once, and its answer may take its time.
      async left({ limit }) {
        const answer = [...owed.values()].slice(0, limit);
        if (answer.length === 1) {
          isAskedAgain.resolve();
          await answers.promise;
        }
        return answer;
      },
      async ended({ id }) {
        owed.delete(id);
        if (owed.size === 0) setImmediate(isLast.resolve);
      },
    },
    watch: { reportRowsOf: async ([key]) => [rowOf({ key: key ?? 0, id: `q${key}` })] },
    command: {
      async run({ env, input }) {
        checkHookInput(JSON.parse(input));
        const id = String(env.BATCH_ROW_ID);
        heard.push(id);
        if (heard.length === owed.size) areBegun.resolve();
        await ends.get(id)?.promise;
        return { failure: null, output: '', outputBytes: 0 };
      },
    },
    slices: () => null,
    env: {},
    secrets: [],
    out: '/videos',
    run: 'run',
    clock: systemClock,
    log: { info: () => {}, warn: () => {} },
    warn: () => {},
  });
  await areBegun.promise;
  ends.get('q1')?.resolve();
  await isAskedAgain.promise;
  ends.get('q2')?.resolve();
  await isLast.promise;
  answers.resolve();
  expect(await hooks.drain()).toBe(0);
  expect(heard).toEqual(['q1', 'q2']);
});
