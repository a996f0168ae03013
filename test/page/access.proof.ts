import axe from 'axe-core';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { artifactOf, attemptOf, rowOf, source } from '../reports/report-rows.ts';
import { chromiumPath, launchChromium } from '../support/chromium.ts';
import { makeLivePage, makePage } from './support/made-page.ts';
import { makePupilPage, videoOf } from './support/made-pupils.ts';
import { makeReport, openPage, type Report } from './support/report.ts';

const rows = [
  'id,question,answer',
  'q-1,Solve $x^2 - 5x + 6 = 0$,$x=2$',
  'q-2,"\\[\\begin{pmatrix}1&2&3&4&5&6&7&8&9&10\\\\1&2&3&4&5&6&7&8&9&10\\end{pmatrix}\\cdot\\begin{pmatrix}a\\\\b\\end{pmatrix}\\]",1',
  ...Array.from({ length: 8 }, (_, n) => `r-${n + 5},Plain question number ${n + 5},${n}`),
].join('\n');

/** A machine that does much else takes its time. */
const slow = { timeout: 300_000 };

let browser: Browser;
let report: Report;

beforeAll(async () => {
  if (chromiumPath === null) return;
  [browser, report] = await Promise.all([
    launchChromium(),
    makeReport(rows, '--fail-rate', '50%', '--seed', '1'),
  ]);
});

afterAll(async () => {
  await browser?.close();
  await report?.[Symbol.asyncDispose]();
});

/** What axe has to say, one line each. */
async function violations(page: Page): Promise<string[]> {
  await page.evaluate(axe.source);
  const { violations } = await page.evaluate(() => (globalThis as unknown as { axe: typeof axe }).axe.run());
  return violations.flatMap(({ id, help, nodes }) => nodes.map(({ target }) => `${id}: ${help}: ${target}`));
}

const narrow = { viewport: { width: 390, height: 800 } };
const views: readonly (readonly [string, string, BrowserContextOptions])[] = [
  ['the table', '', {}],
  ['the table in the dark', '', { colorScheme: 'dark' }],
  ['the table in Chinese', '', { locale: 'zh-CN' }],
  ['the table on a phone', '', narrow],
  ['the gallery', '#view=gallery', {}],
  ['the gallery in the dark', '#view=gallery', { colorScheme: 'dark' }],
  ['the gallery on a phone', '#view=gallery', narrow],
  ['a detail', '#row=q-1', {}],
  ['a detail in the dark', '#row=q-2', { colorScheme: 'dark' }],
  ['a detail on a phone', '#row=q-2', narrow],
  ['a sample', '#sample=yes', {}],
  ['a sample in the dark', '#sample=yes', { colorScheme: 'dark' }],
  ['a sample in Chinese on a phone', '#sample=yes', { ...narrow, locale: 'zh-CN' }],
  ['a row of a sample', '#row=q-1&sample=yes', {}],
  ['failed rows', '#status=failed', {}],
  ['failed rows in the dark', '#status=failed', { colorScheme: 'dark' }],
];

describe.skipIf(chromiumPath === null)('axe-core finds nothing (needs Chromium)', slow, () => {
  it.each(views)('in %s', async (_, hash, options) => {
    const { page } = await openPage(browser, report, { hash, ...options });
    if (hash.startsWith('#row')) await page.locator('dialog.detail .katex').first().waitFor();
    expect(await violations(page)).toEqual([]);
    await page.context().close();
  });

  it('in the detail of a failed row, marked, with a note, and in the menus', async () => {
    const { page } = await openPage(browser, report, { hash: '#status=failed' });
    await page.locator('#rows a.open').first().click();
    await page.locator('.verdict.bad').click();
    await page.locator('dialog.detail .note').fill('a note');
    expect(await violations(page)).toEqual([]);
    await page.locator('.correct').click();
    expect(await violations(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await page.keyboard.press('Escape');
    await page.locator('.marks-menu summary').click();
    expect(await violations(page)).toEqual([]);
    await page.locator('.marks-menu summary').click();
    await page.keyboard.press('?');
    await page.locator('dialog.key-list').waitFor();
    expect(await violations(page)).toEqual([]);
  });

  it('in the page for pupils, in its list, one video with its answer, and where nothing is found', async () => {
    const more = { chapter: 0, answer: '$x=2$', questionImages: ['clip.png'], url: 'https://v.example/#v1' };
    const videos = [
      videoOf(1, { ...more, question: 'Solve $x^2=4$' }),
      videoOf(2),
      videoOf(3, { id: 'q-3' }),
    ];
    await using made = await makePupilPage(videos, { chapters: ['Squares'] });
    for (const options of [{}, narrow, { colorScheme: 'dark', locale: 'zh-CN' } as const]) {
      const page = await (await browser.newContext(options)).newPage();
      await page.goto(made.url);
      await page.locator('.card .katex').first().waitFor();
      expect(await violations(page)).toEqual([]);
      await page.locator('#search').fill('nothing like this');
      await page.locator('.nothing-found').waitFor();
      expect(await violations(page)).toEqual([]);
      await page.goto(`${made.url}#v1`);
      await page.locator('.answer summary').click();
      expect(await violations(page)).toEqual([]);
      await page.context().close();
    }
  });

  it('in a sample that reviewers share, before it is drawn and when another one is', async () => {
    for (const sample of [undefined, { seed: 1, at: 1, population: 1, size: 1, keys: [1] }]) {
      await using live = await makeLivePage([rowOf()], { review: true, reviewer: 'Anna', sample });
      for (const colorScheme of ['light', 'dark'] as const) {
        const { page } = await openPage(browser, live, { hash: '#sample=yes', colorScheme });
        await page.locator('section.sample button:visible').last().click();
        expect(await violations(page)).toEqual([]);
        await page.context().close();
      }
    }
  });

  it('next to two attempts, their difference, why a video is worth a look, and where nothing is found', async () => {
    const earlier = artifactOf({ kind: 'earlier-video', ordinal: 1, path: 'sum-1/attempt-1/video.webm' });
    const own = artifactOf({ path: 'sum-1/video.webm' });
    const sent = { id: 'sum-1', question: 'What is 1 + l?' };
    await using made = await makePage([
      rowOf(
        { attempt: 2, artifacts: [earlier, own] },
        {
          attempts: [1, 2].map((attempt) => attemptOf({ attempt })),
          earlierInputs: [{ attempt: 1, input: sent, source }],
          inspection: { container: null, playback: null, findings: [{ code: 'cut-off' }] },
        },
      ),
    ]);
    for (const colorScheme of ['light', 'dark'] as const) {
      const { page } = await openPage(browser, made, { colorScheme });
      expect(await violations(page)).toEqual([]);
      await page.locator('#rows a.open').click();
      await page.locator('.suspect-box').waitFor();
      expect(await violations(page)).toEqual([]);
      await page.keyboard.press('a');
      await page.locator('.compared mark').first().waitFor();
      expect(await violations(page)).toEqual([]);
      await page.keyboard.press('Escape');
      await page.keyboard.press('Escape');
      await page.locator('#search').fill('nothing like this');
      await page.locator('.nothing-found').waitFor();
      expect(await violations(page)).toEqual([]);
      await page.context().close();
    }
  });
});
