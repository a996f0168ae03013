import { describe, expect, it } from 'vitest';
import { differingPackages, lockedVersion } from '../../src/release/lock-file.ts';

const one = { version: '1.0.0', integrity: 'sha512-one' };
const locked = {
  packages: {
    '': { version: '0.1.0' },
    'node_modules/one': one,
    'node_modules/for-windows': { ...one, optional: true },
    'node_modules/for-tests-on-a-mac': { ...one, devOptional: true },
  },
};

describe('the packages that are installed', () => {
  it.each([
    ['are those of the lock file', { 'node_modules/one': one }, []],
    ['lack one', {}, ['node_modules/one']],
    [
      'have another version of one',
      { 'node_modules/one': { ...one, version: '1.0.1' } },
      ['node_modules/one'],
    ],
    [
      'have another content of one',
      { 'node_modules/one': { ...one, integrity: 'sha512-two' } },
      ['node_modules/one'],
    ],
    ['have one more', { 'node_modules/one': one, 'node_modules/two': one }, ['node_modules/two']],
  ])('%s', (_, packages, differing) => {
    expect(differingPackages(locked, { packages })).toEqual(differing);
  });
});

it('the version of a package is that of its place at the top', () => {
  expect(lockedVersion(locked, 'one')).toBe('1.0.0');
  expect(() => lockedVersion(locked, 'three')).toThrow('package-lock.json has no three');
});
