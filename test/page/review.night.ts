/** Marks that are saved with the run, by two reviewers. */

import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { chromiumPath, launchChromium } from '../support/chromium.ts';
import { listedIds, makeReport, openPage, type Report } from './support/report.ts';

/** A machine that does much else takes its time. */
const slow = { timeout: 300_000 };
const until = <T>(read: () => T) => expect.poll(read, { timeout: 60_000 });

const file = 'id,question\nq/1,What is 1 + l?\nq-2,What is 2 + 2?\n';

let browser: Browser;
let report: Report;

beforeAll(async () => {
  if (chromiumPath === null) return;
  [browser, report] = await Promise.all([launchChromium(), makeReport(file)]);
}, 120_000);

afterAll(async () => {
  await browser?.close();
  await report?.[Symbol.asyncDispose]();
});

async function review(reviewer: string, of: Report = report) {
  const server = of.start('view', '--reviewer', reviewer, '--port', '0');
  const [, url = ''] = await server.said(/^Showing .*: (http:\S+)$/m);
  const open = async (hash = ''): Promise<Page> => {
    const page = await (await browser.newContext()).newPage();
    await page.goto(url + hash);
    await page.locator('#rows tr').first().waitFor();
    return page;
  };
  return { server, open };
}

describe.skipIf(chromiumPath === null)('a review (needs Chromium)', slow, () => {
  it('is saved with the run, comes back in another browser, and everybody sees it', async () => {
    const anna = await review('Anna');
    const ben = await review('Ben');
    const [hers, his] = [await anna.open('#row=q%2F1'), await ben.open('#row=q%2F1')];
    const note = hers.locator('dialog.detail .note');
    await hers.keyboard.press('b');
    await note.fill('too "fast"');
    // The first leaves the note, the second closes the row.
    await hers.keyboard.press('Escape');
    expect(await hers.locator('dialog.detail').isVisible()).toBe(true);
    await hers.keyboard.press('Escape');
    // The page writes the address once the browser has said that the dialog is closed.
    await until(() => hers.url()).not.toContain('row=');
    await hers.goto(`${hers.url().split('#')[0]}#row=q%2F1`);
    await hers.locator('dialog.detail').waitFor();
    await hers.keyboard.press('e');
    await hers.getByRole('textbox', { name: 'Corrected question' }).fill('What is 1 + 1?');
    await until(() => his.locator('dialog.detail .saved-marks').textContent()).toBe(
      'Anna marked bad on attempt 1 – too "fast"Corrected question: What is 1 + 1?',
    );
    await his.keyboard.press('g');

    // Nothing of hers is left in this browser, and nothing is needed.
    const again = await anna.open('#row=q%2F1');
    await until(() => again.locator('dialog.detail .note').inputValue()).toBe('too "fast"');
    expect(await again.locator('.verdict.bad').getAttribute('aria-pressed')).toBe('true');
    await until(() => again.locator('dialog.detail .saved-marks').textContent()).toBe(
      'Ben marked good on attempt 1',
    );

    // A server that is gone: the mark is kept, and saved by the next one.
    ben.server.kill('SIGTERM');
    await ben.server.ended;
    await his.keyboard.press('u');
    await until(() => his.locator('dialog.detail .unsaved').textContent()).toBe(
      '1 not saved yet, trying again',
    );
    anna.server.kill('SIGTERM');
    await anna.server.ended;

    expect((await report.batch('report')).code).toBe(0);
    const { page, troubles } = await openPage(browser, report, { hash: '#mark=bad' });
    await until(() => page.locator('#rows .other-mark').allTextContents()).toEqual([
      'good Ben',
      'bad ✎ Anna',
    ]);
    expect(troubles).toEqual([]);
  });

  it('draws a sample once for all, which each of them sees, counts what the others say, and grows', async () => {
    await using watched = await makeReport(file);
    const anna = await review('Anna', watched);
    const ben = await review('Ben', watched);
    const [hers, his] = [await anna.open('#sample=yes'), await ben.open('#sample=yes')];
    const said = (page: Page) => page.locator('.sample-said').textContent();
    const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
    await button(hers, 'Draw videos').click();
    await until(() => said(his)).toMatch(/^Watch these 2 videos/);
    await until(() => listedIds(hers)).toEqual(await listedIds(his));
    const [first = ''] = await listedIds(his);
    for (const page of [hers, his]) {
      await page.getByRole('link', { name: /^(Start watching|Watch the next one)$/ }).click();
      await until(() => page.locator('#detail-id').textContent()).not.toBe(null);
      await page.keyboard.press('b');
      await until(() => page.locator('.verdict.bad').getAttribute('aria-pressed')).toBe('true');
      await until(() => said(page === hers ? his : hers)).toContain(page === hers ? ': 1 bad' : ': 2 bad');
    }
    expect(await his.locator('#detail-id').textContent()).not.toBe(first);
    // Marks of others are on the page that is opened later, and so is the sample.
    const later = await anna.open('#sample=yes');
    await until(() => said(later)).toMatch(/^2 of 2 watched, drawn at random: 2 bad/);
    await button(later, 'Draw anew …').click();
    await button(later, 'Draw anew').click();
    await until(async () => (await listedIds(his)).length).toBe(2);
    for (const { server } of [anna, ben]) {
      server.kill('SIGTERM');
      await server.ended;
    }
  });

  it('shows the captions that lie next to a video', async () => {
    await writeFile(join(report.out, 'q-2/video.vtt'), 'WEBVTT\n\n00:00.000 --> 00:05.000\nTwo and two\n');
    const { open, server } = await review('Anna');
    const page = await open('#row=q-2');
    await page.waitForFunction(() => document.querySelector('video')?.textTracks[0]?.cues?.[0] !== undefined);
    expect(await page.locator('dialog.detail .facts a').allTextContents()).toEqual([
      'Video file',
      'Captions',
    ]);
    server.kill('SIGTERM');
    await server.ended;
    // From the disk browsers refuse them: the page says nothing in the console, and links to them.
    expect((await report.batch('report')).code).toBe(0);
    const { page: offline, troubles } = await openPage(browser, report, { hash: '#row=q-2' });
    await until(() => offline.locator('dialog.detail .facts a').allTextContents()).toContain('Captions');
    await offline.keyboard.press('Space');
    await offline.waitForFunction(() => (document.querySelector('video')?.currentTime ?? 0) > 0.1);
    expect(troubles).toEqual([]);
  });

  it('without a name is kept by the browser, and seen in its other tabs', async () => {
    const { page, another } = await openPage(browser, report, { hash: '#row=q-2' });
    const { page: other } = await another();
    await page.keyboard.press('b');
    await until(async () => {
      await other.bringToFront();
      return await other.locator('.marks-menu summary').textContent();
    }).toContain('0 good, 1 bad');
  });
});
