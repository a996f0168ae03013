import { expect, it } from 'vitest';
import { renderChecksums } from '../../src/release/checksums.ts';

it('checksums stand one a line, sorted by name, as `sha256sum --check` reads them', () => {
  const [one, two] = ['1'.repeat(64), '2'.repeat(64)];
  const files = [
    { name: 'b.zip', sha256: two },
    { name: 'B.tgz', sha256: one },
    { name: 'a.json', sha256: one },
  ];
  expect(renderChecksums(files)).toBe(`${one}  B.tgz\n${one}  a.json\n${two}  b.zip\n`);
});
