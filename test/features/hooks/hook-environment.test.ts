import { describe, expect, it } from 'vitest';
import { hookEnvironment } from '../../../src/features/hooks/hook-environment.ts';

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
    expect(hookEnvironment(from, [key, '', 'me'], {})).toEqual({
      PATH: '/bin',
      AWS_PROFILE: 'me',
      BATCH_BASE_URL: 'https://video.example',
    });
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
