import { describe, expect, it } from 'vitest';
import { isClearAddress, secretsIn, withoutPassword } from '../../src/text/store-address.ts';

describe('the address of a store', () => {
  it.each([
    ['postgres://me:s3cret@db/batch', 'postgres://me@db/batch'],
    ['postgres://me%40there:s3%2Fcret@db/batch', 'postgres://me%40there@db/batch'],
    ['postgres://db/batch?password=s3cret&sslmode=require', 'postgres://db/batch?sslmode=require'],
  ])('%s is shown without its password', (address, shown) => {
    expect(isClearAddress(address)).toBe(true);
    expect(withoutPassword(address)).toBe(shown);
  });

  it.each([
    'postgres//s3cret@db',
    'postgres://me:12/34@db/batch',
    'postgres://me:pa/ss@db/batch',
    'postgres://me:1?x@db/batch',
    'postgres://me:1#x@db/batch',
    'postgres://me:p@s/w@db/batch',
    'postgres://me:100%@db/batch',
    'postgres://db/100%',
    'me@db',
    'postgres:me:s3cret@db/batch',
  ])('%s may hold a password anywhere, and is not shown', (address) => {
    expect(isClearAddress(address)).toBe(false);
    expect(withoutPassword(address)).toBe('...');
  });

  it.each([
    ['postgres://me:s3%2Fcret@db/batch', ['s3%2Fcret', 's3/cret']],
    ['postgres://me:pa/s@s@db/batch', ['pa/s@s', 'pa/s@s']],
    ['postgres://me:100%@db/batch', ['100%', '100%']],
    ['postgres://db/batch?password=a%2Bb&x=1', ['a%2Bb', 'a+b']],
    ['postgres://db/batch', []],
  ])('%s has its secrets as they are spelled and as they are meant', (address, secrets) => {
    expect(secretsIn(address)).toEqual([address, ...secrets]);
  });
});
