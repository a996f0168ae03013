import { describe, expect, it } from 'vitest';
import { hookEnvironment } from '../../../src/app/hooks/hook-environment.ts';

const key = 'sk-0123456789';

describe('the environment of a hook', () => {
  it('is that of the program without its secrets, whatever variable has them', () => {
    const from = {
      PATH: '/bin',
      HOME: undefined,
      BATCH_API_KEY: 'a',
      BATCH_STORE: 'b',
      BATCH_PING: 'c',
      PGPASSWORD: 'd',
      AUTH: `Bearer ${key}`,
      AWS_PROFILE: 'me',
      BATCH_BASE_URL: 'https://video.example',
    };
    expect(hookEnvironment(from, [key, ''], {})).toEqual({
      PATH: '/bin',
      AWS_PROFILE: 'me',
      BATCH_BASE_URL: 'https://video.example',
    });
  });

  const [password, spelled] = ['s3/cret-pass', 's3%2Fcret-pass'];
  it.each([
    ['a long key within a value', key, `Bearer ${key}`],
    ['a long key in base64', 'sk-0123456789-0123', btoa('me:sk-0123456789-0123')],
    ['a password in another address', password, `postgres://app:${spelled}@db/other`],
    ['a password that is spelled in another way', password, 'postgres://app:s3%2fcret%2Dpass@db'],
    ['a short key alone', 'ab12', 'ab12'],
    ['a short key beside signs', 'ab12', 'key=ab12;x'],
    ['a short password in an address', 'pw', 'postgres://me:pw@db/batch'],
    ['a key of one letter alone', 'k', 'k'],
    ['a long key in a path', key, `/run/${key}/x`],
    ['a key that looks like a path', '/ab', '/ab'],
  ])('has no variable with %s', (_, secret, value) => {
    expect(hookEnvironment({ COPY: value, KEPT: 'x' }, [secret], {})).toEqual({ KEPT: 'x' });
  });

  it.each([
    ['k', '/opt/k/bin:/usr/bin'],
    ['bin', '/usr/local/bin:/usr/bin::./bin:~/bin'],
    ['batch', '/home/batch'],
    ['batch', 'C:\\Users\\batch;D:\\batch'],
    ['postgres', '/usr/lib/postgres/16/bin:/bin'],
    ['cat', 'concatenate'],
    ['k', 'kk'],
    ['', 'x'],
    ['k', ''],
  ])('keeps what only has the word of a secret in it: %j, %j', (secret, value) => {
    expect(hookEnvironment({ PATH: value }, [secret], {})).toEqual({ PATH: value });
  });

  it('has the facts that a variable can hold, and none of another row', () => {
    const facts = {
      BATCH_ROW_ID: 'a\0b',
      BATCH_ROW_POINTS: 10,
      BATCH_ROW_TITLE: null,
      BATCH_ROW: 'x'.repeat(30_001),
    };
    expect(hookEnvironment({ BATCH_ROW: '{}', BATCH_ROW_ID: 'c' }, [], facts)).toEqual({
      BATCH_ROW_ID: 'ab',
      BATCH_ROW_POINTS: '10',
      BATCH_ROW_TITLE: '',
    });
  });
});
