/** Ends a run of the tests with one plain line of counts, and names what was skipped: nothing is left out silently. */

import type { TestCase, TestModule } from 'vitest/node';
import { leftOut } from './turns.ts';

export default class ClosingLine {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const tests = modules.flatMap((module) => [...module.children.allTests()]);
    const inState = (state: 'passed' | 'failed' | 'skipped'): readonly TestCase[] =>
      tests.filter((test) => test.result().state === state);
    const skipped = inState('skipped');
    if (leftOut.length > 0)
      process.stdout.write(
        `NOT THEIR TURN: ${leftOut.join(', ')}; \`npx vitest run --project proof\` plays all\n`,
      );
    for (const test of skipped)
      process.stdout.write(`SKIPPED: ${test.module.relativeModuleId}: ${test.fullName}\n`);
    const broken = modules.filter(
      (module) => module.state() === 'failed' && module.children.size === 0,
    ).length;
    const failed = inState('failed').length + broken;
    process.stdout.write(
      `\ntests: ${inState('passed').length} passed, ${failed} failed, ${skipped.length} skipped\n`,
    );
  }
}
