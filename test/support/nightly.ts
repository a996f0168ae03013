/** True in the long form of the tests, which takes the same roads many more times. */
export const isNightly = process.env.BATCH_TEST_NIGHTLY === '1';

/**
 * All of them in the long form. In the short one only each `every`th, from place `turn` on: as many lists with turns of their own
 * still try each.
 */
export function byTurns<T>(all: readonly T[], every: number, turn = 0): readonly T[] {
  return isNightly ? all : all.filter((_, at) => at % every === turn % every);
}
