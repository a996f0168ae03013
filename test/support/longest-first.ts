/** The order of the test files: those that take longest start first, so that none of them is waited for alone at the end. */

import { BaseSequencer, type TestSpecification } from 'vitest/node';

const longest =
  /\/(?:stores\/postgres|runner|sim|kills|disk|hostile|corpus|wire|cli|features|fleet|library)\//;

export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const isLong = ({ moduleId }: TestSpecification): boolean => longest.test(moduleId);
    return [...files.filter(isLong), ...files.filter((file) => !isLong(file))];
  }
}
