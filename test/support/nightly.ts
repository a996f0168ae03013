/** True in the long form of the tests, which takes the same roads many more times. */
export const isNightly = process.env.BATCH_TEST_NIGHTLY === '1';
