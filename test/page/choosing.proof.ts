/** What a reviewer decides in the open row: between attempts, and about texts. */

import { readFile } from 'node:fs/promises';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { artifactOf, attemptOf, rowOf, source } from '../reports/report-rows.ts';
import { chromiumPath, launchChromium } from '../support/chromium.ts';
import { type MadePage, makePage } from './support/made-page.ts';
import { exportMarks, openPage } from './support/report.ts';

const earlier = (attempt: number) =>
  artifactOf({ kind: 'earlier-video', ordinal: attempt, path: `q-1/attempt-${attempt}/video.webm` });
const rows = [
  rowOf(
    {
      key: 1,
      row: 1,
      id: 'q-1',
      folder: 'q-1',
      attempt: 3,
      artifacts: [earlier(1), earlier(2), artifactOf({ path: 'q-1/video.webm' })],
    },
    {
      input: { id: 'q-1', question: 'What is $1 + l$?', answer: '2' },
      attempts: [1, 2, 3].map((attempt) => attemptOf({ attempt, points: 10 * attempt })),
      earlierInputs: [
        { attempt: 1, input: { id: 'q-1', question: 'What is $0 + l$?', answer: '2' }, source },
      ],
    },
  ),
  rowOf({ key: 2, row: 2, id: 'q-2', folder: 'q-2', artifacts: [artifactOf({ path: 'q-2/video.webm' })] }),
];

/** A machine that does much else takes its time. */
const slow = { timeout: 300_000 };
const until = <T>(read: () => T) => expect.poll(read);

let browser: Browser;
let made: MadePage;

beforeAll(async () => {
  if (chromiumPath === null) return;
  [browser, made] = await Promise.all([launchChromium(), makePage(rows)]);
});

afterAll(async () => {
  await browser?.close();
  await made?.[Symbol.asyncDispose]();
});

async function exported(page: Page): Promise<string> {
  await page.goto(`${made.url}#`);
  await page.locator('.marks-menu summary').click();
  const download = await exportMarks(page);
  return readFile(await download.path(), 'utf8');
}

describe.skipIf(chromiumPath === null)('in the open row (needs Chromium)', slow, () => {
  it('one key goes through the attempts, a playing video continues, a mark is of the attempt shown, and one is preferred', async () => {
    const { page, troubles } = await openPage(browser, made, { hash: '#row=q-1' });
    const detail = page.locator('dialog.detail');
    const video = detail.locator('video');
    const pressed = () => detail.locator('.attempts [aria-pressed=true]').textContent();
    await until(pressed).toBe('★ 3');
    await page.keyboard.press('Space');
    await page.waitForFunction(() => (document.querySelector('video')?.currentTime ?? 0) > 0.1);
    const before = await video.evaluate(({ currentTime }: HTMLVideoElement) => currentTime);
    await page.keyboard.press('s');
    await until(pressed).toBe('1');
    expect(await video.getAttribute('src')).toBe('q-1/attempt-1/video.webm');
    await page.waitForFunction((at) => {
      const video = document.querySelector('video');
      return video !== null && video.readyState > 1 && video.currentTime >= at;
    }, before);
    await page.keyboard.press('g');
    await page.keyboard.press('p');
    await until(pressed).toBe('★ 1');
    await page.keyboard.press('s');
    expect(await detail.locator('.verdict.none').getAttribute('aria-pressed')).toBe('true');
    expect(await detail.locator('.verdict-bar .mark-before').textContent()).toBe('marked good on attempt 1');
    await page.keyboard.press('j');
    await until(() => detail.locator('.attempts').isHidden()).toBe(true);
    for (const key of ['a', 's', 'p']) await page.keyboard.press(key);
    await page.keyboard.press('k');
    await until(pressed).toBe('★ 1');
    expect(await exported(page)).toMatch(
      /row,id,mark,note,attempt,status,prefer,batch\r\n1,q-1,good,,1,completed,1,b[\w-]+\r\n/,
    );
    expect(troubles).toEqual([]);
  });

  it('two attempts stand side by side, with their points and what differs in their texts, and one is preferred', async () => {
    const { page, troubles } = await openPage(browser, made, { hash: '#row=q-1' });
    const detail = page.locator('dialog.detail');
    const sides = detail.locator('.compared article');
    await until(() => detail.locator('.attempts [aria-pressed=true]').textContent()).toBe('★ 3');
    await page.keyboard.press('a');
    await until(() => sides.count()).toBe(2);
    expect(
      await sides.locator('video').evaluateAll((all) => all.map((one) => one.getAttribute('src'))),
    ).toEqual(['q-1/attempt-2/video.webm', 'q-1/video.webm']);
    expect(await sides.locator('.price').allTextContents()).toEqual(['20 points', '30 points']);
    expect(await sides.locator('mark').allTextContents()).toEqual([]);
    await sides.first().locator('select').selectOption('1');
    await until(() => sides.locator('mark').allTextContents()).toEqual(['$0', '$1']);
    // The mark would be about neither.
    await page.keyboard.press('g');
    await page.keyboard.press('Space');
    await page.waitForFunction(() =>
      [...document.querySelectorAll<HTMLVideoElement>('.compared video')].every(
        ({ currentTime }) => currentTime > 0,
      ),
    );
    await sides.first().locator('.prefer').click();
    await until(() => sides.first().locator('.preferred').textContent()).toBe('★ stands for the row');
    await page.keyboard.press('Escape');
    expect(await detail.isVisible()).toBe(true);
    await until(() => detail.locator('.attempts [aria-pressed=true]').textContent()).toBe('3');
    expect(await detail.locator('.verdict.none').getAttribute('aria-pressed')).toBe('true');
    await page.keyboard.press('a');
    await page.keyboard.press('j');
    await until(() => detail.locator('#detail-id').textContent()).toBe('q-2');
    expect(await detail.locator('.comparison').isVisible()).toBe(false);
    await page.keyboard.press('a');
    expect(await detail.locator('.comparison').isVisible()).toBe(false);
    expect(troubles).toEqual([]);
  });

  it('a text is corrected with its formulas in view, letters are no commands, and the correction goes out with the marks', async () => {
    const { page, troubles } = await openPage(browser, made, { hash: '#row=q-1' });
    const detail = page.locator('dialog.detail');
    await detail.locator('.text-body .katex').waitFor();
    await page.keyboard.press('e');
    const area = detail.getByRole('textbox', { name: 'Corrected question' });
    expect(await area.inputValue()).toBe('What is $1 + l$?');
    await area.fill('');
    await page.keyboard.type('What is $1 + 1$, gbu japen?');
    await until(() => detail.locator('.correction .katex').count()).toBe(1);
    expect(await detail.locator('#detail-id').textContent()).toBe('q-1');
    // A text without a formula is there once.
    expect(await detail.locator('.correction .whole:visible').count()).toBe(1);
    await page.keyboard.press('Escape');
    expect(await detail.locator('.correction').isHidden()).toBe(true);
    expect(await detail.isVisible()).toBe(true);
    await page.keyboard.press('b');
    await until(() => detail.locator('.text-body h3').first().textContent()).toBe(
      'Question, as you corrected it',
    );
    await page.reload();
    await detail.locator('.text-body .katex').first().waitFor();
    // The marks are read after the row is shown.
    await until(() => detail.locator('.text-body h3').first().textContent()).toBe(
      'Question, as you corrected it',
    );
    await page.keyboard.press('e');
    expect(await area.inputValue()).toBe('What is $1 + 1$, gbu japen?');
    await page.keyboard.press('Escape');
    const csv = await exported(page);
    expect(csv).toMatch(
      /row,id,mark,note,attempt,status,question,batch\r\n1,q-1,bad,,3,completed,"What is \$1 \+ 1\$, gbu japen\?",b[\w-]+\r\n/,
    );
    expect(await page.locator('.marks-menu .command').textContent()).toBe(
      'batch retry ./videos --only @marks.csv',
    );

    await page.keyboard.press('Escape');
    await page.locator('#mark').selectOption('corrected');
    await until(() => page.locator('#rows tr').count()).toBe(1);
    await page.goto(`${made.url}#row=q-1`);
    await detail.waitFor();
    await page.keyboard.press('e');
    await detail.getByRole('button', { name: 'As it was' }).first().click();
    expect(await area.inputValue()).toBe('What is $1 + l$?');
    expect(await exported(page)).toMatch(/status,batch\r\n1,q-1,bad,,3,completed,b[\w-]+\r\n/);
    expect(troubles).toEqual([]);
  });
});
