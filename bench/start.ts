/** How long the program takes until it has said something: what it can do, how a run stands, and what is in a small file. */

import { cpSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { runShell } from './child.ts';
import { type Bench, type Figure, inTurns, median, quantity } from './table.ts';

const timesEach = 7;

export const start: Bench = async ({ folder, runs }): Promise<Figure[]> => {
  const program = `exec ${process.execPath} ${resolve('dist/cli.js')}`;
  cpSync('samples', join(folder, 'samples'), { recursive: true });
  await runShell(`${program} run samples/questions.csv --simulate --duration 200ms --quiet`, folder);
  const time = async (line: string): Promise<number> => (await runShell(line, folder))?.wallMs ?? Number.NaN;
  const against = async (args: string, atMost: number): Promise<Figure> => {
    const { first, second } = await inTurns(
      runs * timesEach,
      () => time(`${program} ${args}`),
      () => time(`exec ${process.execPath} -e 0`),
    );
    const [reached, floor] = [median(first), median(second)];
    return {
      work: `\`batch ${args}\``,
      reached: quantity(reached, 'ms'),
      floor: quantity(floor, 'ms (`node -e 0`)'),
      ratio: reached / floor,
      goal: { atMost },
    };
  };
  return [
    await against('--help', 3),
    await against('status videos', 7),
    await against('check samples/questions.csv', 9.5),
  ];
};
