/** The page where the browser has less than ours: no new functions, no storage, no working script. */

import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { rowOf } from '../reports/report-rows.ts';
import { chromiumPath, launchChromium } from '../support/chromium.ts';
import { type MadePage, makeLivePage, makePage } from './support/made-page.ts';
import { lackedFunctions, takeAway } from './support/old-browsers.ts';
import { exportMarks } from './support/report.ts';

/** A machine that does much else takes its time. */
const slow = { timeout: 300_000 };
const until = <T>(read: () => T) => expect.poll(read);

let browser: Browser;
let report: MadePage;

beforeAll(async () => {
  if (chromiumPath === null) return;
  const rows = ['Solve $x^2 = 4$', 'C:\\\\Plain', '=1+1;\t-2'].map((question, at) =>
    rowOf({ key: at + 1, row: at + 1, id: `q-${at + 1}` }, { input: { id: `q-${at + 1}`, question } }),
  );
  [browser, report] = await Promise.all([launchChromium(), makePage(rows)]);
});

afterAll(async () => {
  await browser?.close();
  await report?.[Symbol.asyncDispose]();
});

/** A page before it is opened, and the errors of its scripts. */
async function newPage(locale = 'en-GB'): Promise<{ readonly page: Page; readonly errors: string[] }> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, locale });
  const page = await context.newPage();
  page.setDefaultTimeout(60_000);
  const errors: string[] = [];
  page.on('pageerror', ({ message }) => void errors.push(message));
  return { page, errors };
}

/** Whether the browser would ask the reader who closes the page: new browsers look at the one, older ones at the other. */
async function asksBeforeClosing(page: Page): Promise<boolean> {
  const [isPrevented, told] = await page.evaluate(() => {
    const event = document.createEvent('BeforeUnloadEvent') as BeforeUnloadEvent;
    event.initEvent('beforeunload', false, true);
    dispatchEvent(event);
    return [event.defaultPrevented, event.returnValue];
  });
  expect(isPrevented).toBe(told !== '');
  return isPrevented;
}

describe.skipIf(chromiumPath === null)('the page in an old browser (needs Chromium)', slow, () => {
  it('works without what the oldest browsers lack', async () => {
    const { page, errors } = await newPage();
    await page.addInitScript(takeAway, lackedFunctions);
    await page.goto(report.url);
    expect(await page.evaluate(() => ['toSorted' in [], 'toWellFormed' in ''.constructor.prototype])).toEqual(
      [false, false],
    );
    await page.locator('#rows tr:first-child .katex').first().waitFor();
    expect(await page.locator('#rows tr').count()).toBe(3);
    await page.locator('#search').fill('plain');
    await until(() => page.locator('#rows tr').count()).toBe(1);
    await page.locator('#search').fill('');
    await page.locator('#sort').selectOption('-row');
    await until(() => page.locator('#rows a.open').first().textContent()).toBe('q-3');
    await page.locator('#rows a.open').first().click();
    await page.locator('dialog.detail .verdict.bad').click();
    await page.locator('dialog.detail .note').fill('too fast');
    await page.keyboard.press('Escape');
    await page.keyboard.press('Escape');
    await page.locator('.marks-menu summary').click();
    const download = await exportMarks(page);
    await page.locator('.marks-menu input[type=file]').setInputFiles(await download.path());
    await until(() => page.locator('.marks-menu .said').textContent()).toBe('1 mark imported');
    await page.locator('#theme').selectOption('dark');
    await page.keyboard.press('Escape');
    expect(errors).toEqual([]);
    expect(await page.locator('#failure-line').isVisible()).toBe(false);
    await page.context().close();
  });

  it.each([
    ['does not start', () => Reflect.deleteProperty(globalThis, 'Set')],
    ['fails before it knows the run', () => Reflect.deleteProperty(Array.prototype, 'sort')],
    ['fails at the first rows', () => Reflect.deleteProperty(Array.prototype, 'every')],
  ])('says so where its script %s, and nothing of play money', async (_, damage) => {
    const { page, errors } = await newPage();
    await page.addInitScript(damage);
    await page.goto(report.url);
    await until(() => page.locator('#failure-line').isVisible()).toBe(true);
    const text = await page.locator('body').innerText();
    expect(text).toContain('All of them are in report.csv.');
    expect(text).toContain('全部行都在 report.csv 中');
    expect(text).not.toMatch(/play|rehearsal/);
    expect(errors).not.toEqual([]);
    await page.context().close();
  });
});

describe.skipIf(chromiumPath === null)('marks where the browser keeps nothing (needs Chromium)', slow, () => {
  const noStorage = () => Object.defineProperty(globalThis, 'localStorage', { value: null });
  const forbidden = () =>
    Object.defineProperty(globalThis, 'localStorage', {
      get: () => {
        throw new DOMException('no', 'SecurityError');
      },
    });
  const full = () => {
    Storage.prototype.setItem = () => {
      throw new DOMException('no', 'QuotaExceededError');
    };
  };

  it.each([
    ['there is no storage', noStorage, 'en-GB', 'they last until the page is closed'],
    ['it may not be used', forbidden, 'zh-CN', '关闭页面后标记即丢失'],
    ['it is full', full, 'en-GB', 'they last until the page is closed'],
  ])(
    'end with the page, which says so and asks until they are exported: %s',
    async (_, damage, locale, said) => {
      const { page, errors } = await newPage(locale);
      await page.addInitScript(damage);
      await page.goto(report.url);
      const notice = page.locator('.notice');
      await page.locator('#rows a.open').first().click();
      await page.locator('dialog.detail .verdict.bad').click();
      await page.keyboard.press('Escape');
      await until(() => notice.textContent()).toContain(said);
      await page.locator('.marks-menu summary').click();
      expect(await page.locator('.menu p').first().textContent()).toContain(said);
      expect(await asksBeforeClosing(page)).toBe(true);
      await exportMarks(page);
      expect(await asksBeforeClosing(page)).toBe(false);
      expect(errors).toEqual([]);
      await page.context().close();
    },
  );

  it.each([noStorage, forbidden])('are spoken of before the first one is made', async (damage) => {
    const { page } = await newPage();
    await page.addInitScript(damage);
    await page.goto(report.url);
    await until(() => page.locator('.notice').textContent()).toContain('This browser keeps no marks');
    expect(await asksBeforeClosing(page)).toBe(false);
    await page.context().close();
  });

  it('make it ask where they are to be saved with the run, which is not reached', async () => {
    await using live = await makeLivePage([rowOf({})], { review: true, reviewer: 'Anna' });
    const { page } = await newPage();
    await page.addInitScript(noStorage);
    await page.goto(live.url);
    await page.locator('#rows a.open').first().click();
    await page.locator('dialog.detail .verdict.bad').click();
    await until(() => page.locator('.notice').textContent()).toContain('they last until the page is closed');
    expect(await asksBeforeClosing(page)).toBe(true);
    await page.context().close();
  });

  it('are not spoken of where it keeps them, and closing does not ask', async () => {
    const { page } = await newPage();
    await page.goto(report.url);
    await page.locator('#rows a.open').first().click();
    await page.locator('dialog.detail .verdict.bad').click();
    expect(await page.locator('.notice').isVisible()).toBe(false);
    expect(await asksBeforeClosing(page)).toBe(false);
    await page.context().close();
  });
});
