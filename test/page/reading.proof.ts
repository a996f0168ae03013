/** What the page shows a reviewer: texts as people wrote them, the money, the time left, and what to type. */

import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { rowOf } from '../reports/report-rows.ts';
import { chromiumPath, launchChromium } from '../support/chromium.ts';
import { type MadePage, makeLivePage, makePage } from './support/made-page.ts';
import { listedIds, openPage } from './support/report.ts';

const blank = 'No, I        my homework.\nA did   B do';
const table =
  'Look:\n\\begin{center}\n\\begin{tabular}{|l|c|r|}\\hline\nDay & \\multicolumn{2}{c|}{Sold} \\\\ \\hline\n' +
  'Mon & $x^2$ & 4 \\\\ \\cline{2-3} Tue & 5\\% & \\$6 \\\\ \\hline\n\\end{tabular}\n\\end{center}\nHow many?';
const wide = `\\begin{tabular}{${'c|'.repeat(50)}}${'a number & '.repeat(49)}end\\end{tabular}`;
const broken = '\\begin{tabular}{|q|} 1 & 2 \\end{tabular}';

const rows = [blank, table, wide, broken].map((question, at) =>
  rowOf(
    { key: at + 1, row: at + 1, id: `q-${at + 1}`, status: 'pending', artifacts: [] },
    { input: { id: `q-${at + 1}`, question }, attempts: [] },
  ),
);

/** A machine that does much else takes its time. */
const slow = { timeout: 300_000 };

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

describe.skipIf(chromiumPath === null)('what people wrote, in a browser (needs Chromium)', slow, () => {
  it('a run of spaces is as wide as it was written, in the row and in the list', async () => {
    const { page } = await openPage(browser, made, { hash: '#row=q-1' });
    const widthOf = (selector: string, words: string) =>
      page
        .locator(selector)
        .first()
        .evaluate((box, words) => {
          const [node] = box.childNodes;
          const at = (node?.textContent ?? '').indexOf(words);
          if (node === undefined || at < 0) return -1;
          const range = document.createRange();
          range.setStart(node, at);
          range.setEnd(node, at + words.length);
          return range.getBoundingClientRect().width;
        }, words);
    for (const selector of ['dialog.detail .text-body .whole', '#rows div.text']) {
      const ratio = async () => (await widthOf(selector, '        ')) / (await widthOf(selector, ' '));
      await expect.poll(ratio).toBeGreaterThan(4);
    }
    expect(await page.locator('#rows div.text').first().textContent()).toBe(
      'No, I        my homework. A did   B do',
    );
  });

  it('a table is drawn, its formulas too, and what is none stays as it is written', async () => {
    const { page, troubles } = await openPage(browser, made, { hash: '#row=q-2' });
    const question = page.locator('dialog.detail .text-body .whole');
    await question.locator('.katex').first().waitFor();
    expect(await question.locator('tr').count()).toBe(3);
    expect(await question.locator('td').first().textContent()).toBe('Day');
    expect(await question.locator('td[colspan="2"]').textContent()).toBe('Sold');
    expect(await question.locator('tr').nth(2).locator('td').allTextContents()).toEqual(['Tue', '5%', '$6']);
    expect(
      await question.evaluate((box) => (box.firstChild?.textContent ?? '') + box.lastChild?.textContent),
    ).toBe('Look:\nHow many?');
    expect(await page.locator('#rows div.text').nth(1).textContent()).toContain('Day | Sold / Mon | ');

    await page.goto(`${made.url}#row=q-3`);
    await expect.poll(() => page.locator('dialog.detail .drawn-table').getAttribute('tabindex')).toBe('0');
    expect(
      await page
        .locator('dialog.detail')
        .evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth),
    ).toBe(0);
    await page.goto(`${made.url}#row=q-4`);
    await expect.poll(() => question.textContent()).toBe(broken);
    expect(troubles).toEqual([]);
  });
});

describe.skipIf(chromiumPath === null)('the run, in a browser (needs Chromium)', slow, () => {
  const done = rowOf({ key: 1, row: 1, id: 'q-1' });
  const lost = rowOf({
    key: 2,
    row: 2,
    id: '-x',
    status: 'uncertain',
    taskId: null,
    points: null,
    artifacts: [],
  });
  const waiting = [3, 4].map((n) =>
    rowOf(
      {
        key: n,
        row: n,
        id: `q-${n}`,
        status: 'pending',
        taskId: null,
        submittedAt: null,
        endedAt: null,
        points: null,
        artifacts: [],
      },
      { attempts: [] },
    ),
  );
  const figuresOf = async (made: MadePage, locale = 'en-GB') => {
    const { page } = await openPage(browser, made, { locale });
    await page.waitForFunction(() => document.querySelectorAll('.figures > div').length > 3);
    await page.locator('.run-state').waitFor({ state: 'attached' });
    return page;
  };

  it('starts its bar with what is done, says the cap, and that a rehearsal is none of real money', async () => {
    await using rehearsed = await makePage([...waiting, lost, done], { cap: 400, rehearsal: true });
    const page = await figuresOf(rehearsed);
    expect(
      await page
        .locator('.bar rect')
        .evaluateAll((parts) => parts.map((part) => part.getAttribute('data-status'))),
    ).toEqual(['completed', 'uncertain', 'pending']);
    await expect.poll(() => page.locator('.rehearsal').isVisible()).toBe(true);
    expect(await page.locator('.figures').textContent()).toContain('cap 400 · unknown for 1 row');
    expect(await page.locator('.figures').textContent()).toContain('play points spent');
    const chinese = await figuresOf(rehearsed, 'zh-CN');
    await expect.poll(() => chinese.locator('.figures').textContent()).toContain('练习积分');
    const real = await figuresOf(made);
    expect(await real.locator('.rehearsal').isHidden()).toBe(true);
  });

  it('says on the live page how long it will take, within the cap, and not while it pauses', async () => {
    const leftOn = async (facts: Parameters<typeof makeLivePage>[1]) => {
      await using live = await makeLivePage([done, ...waiting], facts);
      const page = await figuresOf(live);
      const left = page.locator('.figures > div').filter({ hasText: 'left, estimated' });
      return (await left.count()) === 0 ? null : left.locator('.value').textContent();
    };
    // Two rows, one after the other, 95 seconds each.
    expect(await leftOn({})).toBe('4 min');
    expect(await leftOn({ cap: 20 })).toBe('2 min 30 s');
    expect(await leftOn({ pause: { until: null } })).toBeNull();
    expect(await leftOn({ running: false })).toBeNull();
  });

  it('says by a sign and a word whether it runs, has stopped or is complete', async () => {
    const stateOn = async (rows: Parameters<typeof makeLivePage>[0], running: boolean) => {
      await using live = await makePage(rows, { running });
      const { page } = await openPage(browser, live);
      const state = page.locator('.run-state');
      await state.and(page.locator('[data-sign]')).waitFor();
      return `${await state.getAttribute('data-sign')} ${await state.textContent()}`;
    };
    expect(await stateOn([done, ...waiting], true)).toBe('● running');
    expect(await stateOn([done, ...waiting], false)).toBe('■ stopped: 2 rows left');
    expect(await stateOn([done, lost], false)).toBe('◐ ended: 1 row without a video');
    expect(await stateOn([done], false)).toBe('✓ complete');
  });

  it('says first why a row has no video and what to type, without an empty player, in Chinese too', async () => {
    const failure = 'HTTP 200 without a readable task id; answer: {"id":7}';
    const { item } = lost;
    await using uncertain = await makePage([{ ...lost, item: { ...item, failure } }]);
    const { page } = await openPage(browser, uncertain, { hash: '#row=-x', locale: 'zh-CN' });
    const detail = page.locator('dialog.detail');
    await detail.waitFor();
    expect(await detail.locator('.screen').isVisible()).toBe(false);
    const heads = await detail.locator('.detail-body h3').allTextContents();
    expect(heads.slice(0, 2)).toEqual(['失败原因', '需要输入的命令']);
    expect(await detail.locator('.failure-box .whole').textContent()).toBe(
      'HTTP 200，读不出任务编号；答复：{"id":7}',
    );
    expect(await page.locator('.reasons-bar .reason').textContent()).toBe('HTTP …，读不出任务编号');
  });

  it('calls a mark unsaved only once a save has failed', async () => {
    await using live = await makeLivePage([done], { review: true, reviewer: 'Anna' });
    const { page } = await openPage(browser, live, { hash: '#row=q-1' });
    await page.locator('dialog.detail').waitFor();
    const unsaved = () => page.locator('.unsaved').evaluate((one) => [one.textContent, one.className]);
    await page.evaluate(() => {
      const failure = new Promise((_, fail) => addEventListener('fail', () => fail(new Error('away'))));
      globalThis.fetch = () => failure as Promise<Response>;
    });
    await page.keyboard.press('g');
    await expect.poll(unsaved).toEqual(['saving …', 'unsaved']);
    expect(await page.locator('.notice').isVisible()).toBe(false);
    await page.evaluate(() => dispatchEvent(new Event('fail')));
    await expect.poll(unsaved).toEqual(['1 not saved yet, trying again', 'unsaved failed']);
    expect(await page.locator('.notice').isVisible()).toBe(true);
  });

  it('names what needs eyes next to what is done, and each reason chooses its rows', async () => {
    const bad = (n: number, failure: string) =>
      rowOf({ key: n, row: n, id: `q-${n}`, status: 'failed', failure, artifacts: [] });
    const suspect = rowOf(
      { key: 9, row: 9, id: 'q-9' },
      { inspection: { container: null, playback: null, findings: [{ code: 'cut-off' }] } },
    );
    const rows = [
      done,
      bad(2, 'no answer after 3 s'),
      bad(3, 'no answer after 4 s'),
      bad(4, 'refused'),
      suspect,
    ];
    await using page = await makePage(rows);
    const { page: seen, troubles } = await openPage(browser, page);
    const chips = seen.locator('.chips button:visible');
    await expect
      .poll(() => chips.allTextContents())
      .toEqual(['✓completed2', '⚑1worth a look', '✕failed3', '✕no answer after … s2', '✕refused1']);
    await chips.nth(3).click();
    await expect.poll(() => listedIds(seen)).toEqual(['q-2', 'q-3']);
    expect(await seen.getByRole('img', { name: 'remove this filter' }).count()).toBe(1);
    await chips.nth(1).click();
    await expect.poll(() => listedIds(seen)).toEqual(['q-9']);
    await seen.locator('#search').fill('no such words');
    await seen.locator('.nothing-found button').click();
    await expect.poll(() => listedIds(seen)).toEqual(['q-9', 'q-1', 'q-2', 'q-3', 'q-4']);
    await seen.locator('a.open').first().click();
    expect(await seen.locator('dialog.detail .why').textContent()).toBe('Worth a lookthe file is cut off');
    expect(troubles).toEqual([]);
  });

  it('shows a column of the user’s own in the list, the values of it choose rows, and the open row has them all', async () => {
    const rows = ['sums, hard', '  ', '<b>roots</b>', 'sums, hard'].map((chapter, at) => {
      const id = `q-${at + 1}`;
      return rowOf({ key: at + 1, row: at + 1, id }, { input: { id, question: 'What?', chapter } });
    });
    await using own = await makePage(rows);
    const { page, troubles } = await openPage(browser, own);
    const cells = () => page.locator('#rows td.own').allTextContents();
    expect(await cells()).toEqual([]);
    await page.locator('#column').selectOption('chapter');
    await expect.poll(cells).toEqual(['sums, hard', '', '<b>roots</b>', 'sums, hard']);
    expect(await page.locator('thead th.own').textContent()).toBe('chapter');
    expect(await page.locator('#value option').allTextContents()).toEqual([
      'chapter: all',
      '(empty) (1)',
      '<b>roots</b> (1)',
      'sums, hard (2)',
    ]);
    await page.locator('#value').selectOption('sums, hard (2)');
    await expect.poll(() => listedIds(page)).toEqual(['q-1', 'q-4']);
    await page.reload();
    await expect.poll(() => listedIds(page)).toEqual(['q-1', 'q-4']);
    await page.locator('#search').fill('roots');
    await page.locator('.nothing-found button').click();
    await page.locator('#search').fill('ROOTS');
    await expect.poll(() => listedIds(page)).toEqual(['q-3']);
    await page.locator('a.open').click();
    const section = page.locator('dialog.detail section').filter({ hasText: 'Other columns' });
    expect(await section.locator('dl').textContent()).toBe('chapter<b>roots</b>');
    expect(troubles).toEqual([]);
    const { page: none } = await openPage(browser, made);
    expect(await none.locator('#column').isVisible()).toBe(false);
  });

  it('shows the first rows on the first screen of a phone, and its charts on demand', async () => {
    await using made = await makePage([done, ...waiting, lost], { cap: 400, rehearsal: true });
    const { page } = await openPage(browser, made, { viewport: { width: 390, height: 844 } });
    await page.locator('.charts-fold summary').waitFor();
    expect(await page.locator('.chart').first().isVisible()).toBe(false);
    const top = () =>
      page
        .locator('#rows tr')
        .first()
        .evaluate((row) => row.getBoundingClientRect().top);
    expect(await top()).toBeLessThan(600);
    await page.locator('.charts-fold summary').click();
    await expect.poll(() => page.locator('.chart').first().isVisible()).toBe(true);
  });

  it('says what to type for an uncertain row', async () => {
    await using uncertain = await makePage([lost]);
    const { page, troubles } = await openPage(browser, uncertain, { hash: '#row=-x' });
    expect(await page.locator('dialog.detail .settle code').allTextContents()).toEqual([
      "batch resolve ./videos --task-id TASK_ID -- '-x'",
      "batch resolve ./videos --not-created -- '-x'",
      'batch resolve ./videos --list',
    ]);
    expect(troubles).toEqual([]);
  });
});
