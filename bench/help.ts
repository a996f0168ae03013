/** How long the program takes to say what it can do. */

import { runShell } from './child.ts';
import { type Bench, type Figure, inTurns, median, quantity } from './table.ts';

export const help: Bench = async ({ runs }): Promise<Figure[]> => {
  const time = async (line: string): Promise<number> => (await runShell(line))?.wallMs ?? Number.NaN;
  const { first, second } = await inTurns(
    runs * 7,
    () => time(`exec ${process.execPath} dist/cli.js --help`),
    () => time(`exec ${process.execPath} -e 0`),
  );
  const [reached, floor] = [median(first), median(second)];
  return [
    {
      work: '`batch --help`',
      reached: quantity(reached, 'ms'),
      floor: quantity(floor, 'ms (`node -e 0`)'),
      ratio: reached / floor,
      goal: { atMost: 3 },
    },
  ];
};
