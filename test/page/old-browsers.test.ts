/** The page is built for browsers that do not get newer, such as the last Chrome of Windows 7. */

import { readFileSync } from 'node:fs';
import { transform } from 'esbuild';
import { describe, expect, it } from 'vitest';
import { pageAssets, pupilAssets } from '../../src/app/page-assets.ts';
import { oldest } from '../../src/page/build.ts';
import { renderPageHead } from '../../src/reports/page.ts';
import { lackedNames, lackedStyles } from './support/old-browsers.ts';

const assets = pageAssets();
const pupils = pupilAssets();
const scripts = [
  ['the page', assets.script],
  ['the page for pupils', pupils.script],
  ['formulas', assets.mathScript],
] as const;
const styles = [
  ['the page', assets.style],
  ['the page for pupils', pupils.style],
  ['formulas', assets.mathStyle.replace(/url\([^)]*\)/g, '')],
] as const;

/** Without what a browser skips that does not know it. */
const unguarded = (style: string): string =>
  style.replace(/@supports[^{]*\{(?:[^{}]*\{[^{}]*\})*[^{}]*\}/g, '');

describe.each(scripts)('the script of %s', (_, script) => {
  it('calls nothing that the oldest browsers lack', () => {
    expect(lackedNames.length).toBeGreaterThan(40);
    expect(lackedNames.filter((name) => new RegExp(`\\b${name}\\b`).test(script))).toEqual([]);
  });

  it('looks behind in no pattern, which Safari 15 cannot read', () => {
    expect(script).not.toMatch(/\(\?<[=!]/);
  });

  it('is written in words that they know', async () => {
    const options = { minify: true, charset: 'ascii' } as const;
    const [plain, lowered] = await Promise.all([
      transform(script, { ...options, target: 'esnext' }),
      transform(script, { ...options, target: [...oldest] }),
    ]);
    expect(lowered.code === plain.code).toBe(true);
  });
});

describe.each(styles)('the style of %s', (_, style) => {
  it.each(lackedStyles)('has no %s', (_name, pattern) => {
    expect(unguarded(style)).not.toMatch(pattern);
  });
});

it.each([
  ['nested rules', 'a{color:red;b{color:blue}}'],
  ['nested rules', 'a{&:hover{color:red}}'],
  ['light-dark()', 'a{color:light-dark(#fff,#000)}'],
  ['ranges in media queries', '@media (width<=60rem){a{b:c}}'],
])('%s would be found', (name, style) => {
  expect(style).toMatch(lackedStyles.find(([known]) => known === name)?.[1] ?? /^$/);
});

it('the oldest browsers are named where a reader looks for them', () => {
  const named = oldest.map((browser) =>
    browser.replace(/^[a-z]/, (letter) => letter.toUpperCase()).replace(/\d.*/, ' $&'),
  );
  expect(named).toEqual(['Chrome 109', 'Firefox 115', 'Safari 15.6']);
  for (const text of [renderPageHead(assets), readFileSync('docs/reviewing.md', 'utf8')])
    for (const name of named) expect(text).toContain(name);
});
