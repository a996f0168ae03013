/**
 * The order of the test files: those that took longest start first, so that none of them is waited for alone at the end. One
 * that was never played here goes by its folder.
 */

import { relative } from 'node:path';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { readSeconds } from './results.ts';

const longest =
  /\/(?:stores\/postgres|runner|sim|kills|disk|hostile|corpus|wire|cli|features|fleet|library)\//;

export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const names = new Set(files.map(({ project }) => project.name));
    const known = new Map([...names].map((name) => [name, readSeconds(name)]));
    const secondsOf = ({ project, moduleId }: TestSpecification): number =>
      known.get(project.name)?.get(relative(process.cwd(), moduleId).replaceAll('\\', '/')) ??
      (longest.test(moduleId) ? Number.MAX_VALUE : 0);
    const seconds = new Map(files.map((file) => [file, secondsOf(file)]));
    return files.toSorted((a, b) => (seconds.get(b) ?? 0) - (seconds.get(a) ?? 0));
  }
}
