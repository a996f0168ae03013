/** The page for pupils in a browser: many videos, links to one, and texts that mean harm. */

import { pathToFileURL } from 'node:url';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { packQr } from '../../src/reports/qr-modules.ts';
import { chromiumPath, launchChromium } from '../support/chromium.ts';
import type { MadePage } from './support/made-page.ts';
import { makePupilPage, videoOf } from './support/made-pupils.ts';
import { lackedFunctions, takeAway } from './support/old-browsers.ts';

/** A machine that does much else takes its time. */
const slow = { timeout: 300_000 };
const until = <T>(read: () => T) => expect.poll(read);

const hostile = '</script><img src=x onerror="document.title=1"><b>bold</b> $\\href{javascript:1}{x}$';
const count = 2_000;
const videos = Array.from({ length: count }, (_, at) =>
  videoOf(at + 1, {
    chapter: at % 4 === 3 ? null : at % 4,
    question: `Solve $x^2 = ${at}$, please`,
    ...(at === 3 ? { title: hostile, question: hostile } : {}),
    ...(at === 0
      ? { answer: '$x=0$', questionImages: ['clip.png'], url: 'https://v.example/#v1', qr: packQr([[true]]) }
      : {}),
  }),
);

let browser: Browser;
let made: MadePage;

beforeAll(async () => {
  if (chromiumPath === null) return;
  [browser, made] = await Promise.all([
    launchChromium(),
    makePupilPage(videos, { chapters: ['Squares', hostile, '几何'] }),
  ]);
});

afterAll(async () => {
  await browser?.close();
  await made?.[Symbol.asyncDispose]();
});

interface Opened extends AsyncDisposable {
  readonly page: Page;
  /** Errors, lines in the console, and requests beyond the folder. */
  readonly troubles: readonly string[];
}

async function open(
  hash: string,
  options: BrowserContextOptions = {},
  before?: (page: Page) => Promise<unknown>,
) {
  const context = await browser.newContext(options);
  const page = await context.newPage();
  const troubles: string[] = [];
  const folder = pathToFileURL(`${made.out}/`).href;
  page.on('console', (message) => void troubles.push(message.text()));
  page.on('pageerror', (error) => void troubles.push(error.message));
  page.on('request', (request) => {
    const isOwn = request.url().startsWith(folder) || request.url().startsWith('data:');
    if (!isOwn) troubles.push(request.url());
  });
  await before?.(page);
  await page.goto(made.url + hash);
  return { page, troubles, [Symbol.asyncDispose]: () => context.close() } satisfies Opened;
}

const heading = (page: Page) => page.locator('.watch h2').textContent();

describe.skipIf(chromiumPath === null)('the page for pupils (needs Chromium)', slow, () => {
  it('lists 2,000 videos by chapter, finds some, and sends no request elsewhere', async () => {
    await using opened = await open('', { viewport: { width: 390, height: 800 } });
    const { page, troubles } = opened;
    await until(() => page.locator('.card').count()).toBe(count);
    await page.locator('.card .katex').first().waitFor();
    expect(await page.locator('#found').textContent()).toBe('2,000 videos');
    expect(await page.locator('.list h2').allTextContents()).toEqual(['Squares', hostile, '几何']);
    expect(await page.locator('.list b').count()).toBe(0);
    await page.locator('#search').fill('solve 1999');
    await until(() => page.locator('#found').textContent()).toBe('2 of 2,000 videos');
    await page.keyboard.press('Escape');
    await page.locator('#search').fill('');
    await page.locator('.chapters summary').click();
    await page.locator('.chapters button').last().click();
    await until(() => page.evaluate(() => document.activeElement?.textContent)).toBe('几何');
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
    expect(troubles).toEqual([]);
  });

  it('opens and plays a video, goes back to where the list was, and walks by keys', async () => {
    await using opened = await open('');
    const { page, troubles } = opened;
    await until(() => page.locator('.card').count()).toBe(count);
    const card = page.locator('a.open[data-anchor=v1997]');
    await card.scrollIntoViewIfNeeded();
    await card.click();
    await until(() => heading(page)).toBe('Video number 1997');
    await until(() => page.locator('video').evaluate((one: HTMLVideoElement) => one.currentTime > 0)).toBe(
      true,
    );
    await page.goBack();
    await until(() => page.evaluate(() => document.activeElement?.getAttribute('href'))).toBe('#v1997');
    await until(() => card.evaluate((one) => one.getBoundingClientRect().top)).toBeLessThan(720);
    expect(await card.evaluate((one) => one.getBoundingClientRect().bottom)).toBeGreaterThan(0);
    await page.keyboard.press('Enter');
    await until(() => heading(page)).toBe('Video number 1997');
    await page.keyboard.press('k');
    await until(() => heading(page)).toBe('Video number 1993');
    expect(new URL(page.url()).hash).toBe('#v1993');
    await page.keyboard.press('Escape');
    await until(() => page.locator('.watch').isVisible()).toBe(false);
    expect(troubles).toEqual([]);
  });

  it('opens the video of a link in Chinese, with its first frame, its picture, and its answer behind a fold', async () => {
    await using opened = await open('#v1', { locale: 'zh-CN' });
    const { page, troubles } = opened;
    await page.locator('.question .katex').waitFor();
    expect(await page.locator('html').getAttribute('lang')).toBe('zh-CN');
    expect(await page.locator('.images img').isVisible()).toBe(true);
    await until(() =>
      page.locator('video').evaluate(({ paused, readyState }: HTMLVideoElement) => paused && readyState > 1),
    ).toBe(true);
    expect(await page.locator('.answer .katex').isVisible()).toBe(false);
    await page.getByText('显示答案').click();
    expect(await page.locator('.answer .katex').isVisible()).toBe(true);
    await page.locator('#language').selectOption('en');
    await until(() => page.locator('.answer summary').textContent()).toBe('Show the answer');
    await page.emulateMedia({ media: 'print' });
    await page.evaluate(() => dispatchEvent(new Event('beforeprint')));
    expect(await page.locator('.entry .qr path').last().getAttribute('d')).toContain('M4 4h1');
    expect(await page.locator('.entry .images img').isVisible()).toBe(true);
    expect(await page.locator('.watch').isVisible()).toBe(false);
    expect(troubles).toEqual([]);
  });

  it('shows hostile texts as texts, in an old browser too, and says where a link leads nowhere', async () => {
    await using opened = await open('#nowhere', {}, (page) => page.addInitScript(takeAway, lackedFunctions));
    const { page, troubles } = opened;
    await page.locator('.notice').waitFor();
    await page.goto(`${made.url}#v4`);
    await until(() => page.title()).toContain('</script><img src=x');
    expect(await page.locator('.watch-right :is(img, b, [href^=javascript])').count()).toBe(0);
    expect(await page.locator('#failure-line').isVisible()).toBe(false);
    expect(troubles).toEqual([]);
  });
});
