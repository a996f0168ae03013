import { describe, expect, it } from 'vitest';
import { openStage } from './support/stage.ts';

/** Node arguments that make the program believe it runs under this version. */
const pretend = (version: string): string[] => {
  const versions = `{ ...process.versions, node: ${JSON.stringify(version)} }`;
  return [
    '--import',
    `data:text/javascript,Object.defineProperty(process, 'versions', { value: ${versions} })`,
  ];
};

describe.concurrent('the first file', () => {
  it.for(['18.20.8', '20.19.0', '22.18.0'])(
    'says under Node %s which one is needed, in one line',
    async (version) => {
      await using stage = await openStage();
      const ending = await stage.batch(['--version'], { node: pretend(version) });
      expect(ending).toMatchObject({ code: 2, stdout: '' });
      expect(ending.stderr).toBe(
        `batch needs Node.js 22.19 or newer, this is ${version}; see https://nodejs.org\n`,
      );
    },
  );

  it.for(['22.19.0', '24.0.0', '100.0.0'])('lets Node %s in', async (version) => {
    await using stage = await openStage();
    expect((await stage.batch(['--version'], { node: pretend(version) })).code).toBe(0);
  });
});
