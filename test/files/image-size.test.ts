import fc from 'fast-check';
import { expect, test } from 'vitest';
import { inlineBytes, tooLarge, tooLargeTogether } from '../../src/files/image-size.ts';

test('the bytes of base64 are those it stands for, to two, with and without a data URI around it', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => {
      const base64 = Buffer.from(bytes).toString('base64');
      for (const data of [base64, `data:image/png;base64,${base64}`, `data:image/png;x=y;base64,${base64}`]) {
        const counted = inlineBytes({ kind: 'inline', data });
        expect(counted - bytes.length).toBeGreaterThanOrEqual(0);
        expect(counted - bytes.length).toBeLessThanOrEqual(2);
      }
    }),
  );
});

test('a data URI that is no base64 is as long as it is written; what is not sent has no bytes', () => {
  expect(inlineBytes({ kind: 'inline', data: 'data:image/svg+xml,<svg/>' })).toBe(25);
  expect(inlineBytes({ kind: 'url', url: 'https://x.example/a.png' })).toBe(0);
  expect(inlineBytes({ kind: 'file', path: '/a.png' })).toBe(0);
});

test('up to the limit an image is sent, above it the line says both sizes', () => {
  expect(tooLarge(20_000_000, 20_000_000)).toBeNull();
  expect(tooLarge(20_000_001, 20_000_000)?.text).toBe(
    'is 20.1 MB, more than --max-image-bytes allows (20 MB); make it smaller',
  );
  expect(tooLargeTogether(50_000_000, 20_000_000)).toBeNull();
  expect(tooLargeTogether(267_000_000, 20_000_000)?.text).toContain('267 MB, more than 50 MB');
});
