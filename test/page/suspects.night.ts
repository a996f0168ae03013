import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { chromiumPath, launchChromium } from '../support/chromium.ts';
import { listedIds, makeReport, openPage, type Report } from './support/report.ts';

const ids = Array.from({ length: 24 }, (_, at) => `q-${at + 1}`);
const rows = ['id,question', ...ids.map((id) => `${id},"What is the question ${id}?"`)].join('\n');

let browser: Browser;
let report: Report;
let suspects: readonly string[];

beforeAll(async () => {
  if (chromiumPath === null) return;
  [browser, report] = await Promise.all([
    launchChromium(),
    makeReport(rows, '--fault', 'damaged-video=0.3', '--seed', '2', '--inspect'),
  ]);
  const { stdout } = await report.batch('verify', '--deep', '--json');
  const { reasons } = JSON.parse(stdout) as { readonly reasons: readonly { readonly ids: string[] }[] };
  suspects = reasons.flatMap((reason) => reason.ids);
});

afterAll(async () => {
  await browser?.close();
  await report?.[Symbol.asyncDispose]();
});

describe.skipIf(chromiumPath === null)('suspect videos on the page (needs Chromium)', () => {
  it('come first, with the reason in the list and next to the video, and are filtered by it', async () => {
    const { page, troubles } = await openPage(browser, report);
    const all = await listedIds(page);
    expect(all).toHaveLength(ids.length);
    const lines = page.locator('#rows tr .suspect');
    const count = await lines.count();
    expect(count).toBeGreaterThanOrEqual(suspects.length);
    expect(suspects.length).toBeGreaterThan(0);
    expect(all.slice(0, count)).toEqual(expect.arrayContaining([...suspects]));
    expect(all.slice(count)).toEqual(ids.filter((id) => !all.slice(0, count).includes(id)));

    await page.locator('#suspect').selectOption('any');
    expect(await listedIds(page)).toEqual(all.slice(0, count));
    await page.locator('#suspect').selectOption('cut-off');
    expect(await lines.allTextContents()).toEqual(
      expect.arrayContaining(['Worth a look: the file is cut off']),
    );
    await page.locator('#rows a.open').first().click();
    expect(await page.locator('dialog .why .suspect-box').textContent()).toBe(
      'Worth a lookthe file is cut off',
    );
    await page.goto(`${report.url}#sort=row`);
    await expect.poll(() => listedIds(page)).toEqual(ids);
    expect(troubles).toEqual([]);
    await page.context().close();
  });

  it('are said in Chinese', async () => {
    const { page } = await openPage(browser, report, { locale: 'zh-CN' });
    expect(await page.locator('#rows tr .suspect').first().textContent()).toContain('值得看一看：');
    await page.context().close();
  });

  it('have no filter where there are none', async () => {
    await using sound = await makeReport(rows.split('\n').slice(0, 4).join('\n'));
    const { page } = await openPage(browser, sound);
    expect(await page.locator('#suspect').isHidden()).toBe(true);
    expect(await page.locator('#sort').inputValue()).toBe('row');
    await page.context().close();
  });
});
