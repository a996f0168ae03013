import { expect, it } from 'vitest';
import type { RawOptions } from '../../../src/app/options/options.ts';
import { readInvocation } from '../../../src/app/options/settings.ts';

const place: RawOptions = { store: 'postgres://batch@db.example/batch', run: 'alg' };

it.each<[RawOptions, RegExp]>([
  [{ simulate: true }, /start `batch simulate`, and give its address with --base-url/],
  [{ listen: '127.0.0.1:8080' }, /--listen is for a run in a folder/],
])('a run on several machines refuses %j before anything is saved', (options, said) => {
  expect(() => readInvocation({ ...place, ...options }, { dotEnv: false })).toThrow(said);
  expect(() => readInvocation(options, { dotEnv: false })).not.toThrow();
});

it.each<[RawOptions, RegExp]>([
  [{ run: 'alg' }, /--run names a run in a store; give --store or set BATCH_STORE/],
  [{ store: 'postgres://db/batch' }, /say which one: --run NAME/],
])('a run on several machines needs its store and its name: %j', (options, said) => {
  expect(() => readInvocation(options, { dotEnv: false })).toThrow(said);
});
