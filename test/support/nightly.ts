/** True in the night, which takes the same roads many more times, with cases that nobody has seen. */
export const isNightly = process.env.BATCH_TEST_NIGHT !== undefined;

/** Every random source of a test starts here: a number that is always the same by day, and the one of this night by night. */
export const nightSeed = Number(process.env.BATCH_TEST_NIGHT ?? 20_260_301);

/** All of them by night. By day only each `every`th, from place `turn` on: as many lists with turns of their own still try each. */
export function byTurns<T>(all: readonly T[], every: number, turn = 0): readonly T[] {
  return isNightly ? all : all.filter((_, at) => at % every === turn % every);
}
