import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { rowOf, submittedAt } from '../reports/report-rows.ts';
import { chromiumPath, launchChromium } from '../support/chromium.ts';
import { reportLines } from '../support/written.ts';
import { makeLivePage } from './support/made-page.ts';
import { exportMarks, listedIds, makeReport, openPage, type Report } from './support/report.ts';

const rows = [
  'id,question,answer',
  'q-1,"Solve $x^2 - 5x + 6 = 0$, then \\[\\vec{a}\\cdot\\vec{b}=|a||b|\\cos\\theta\\]",\\frac{3}{4}',
  'q-2,He paid $5 and $10. How much is it?,\\$15',
  '题-3,已知 $\\begin{cases}x+y=1\\\\x-y=3\\end{cases}$，求$$x$$,$x=2$',
  'q-4,"Broken: $\\left( x$ and $\\nosuchcommand{x}$","$\\def\\a{\\a\\a}\\a$"',
  `many,"${'$x_{1}$ '.repeat(5_000)}",${'$$y$$'.repeat(5_000)}`,
  'styles,"$\\vec{a}$ $\\fcolorbox{red}{yellow}{x}$ $\\pmb{x}$ $\\sqrt[3]{2}$ $\\cancel{5}$ $\\overrightarrow{AB}$",1',
  ...['pea', 'oat', 'fig', 'kiwi', 'lime', 'plum', 'Date', 'date'].map(
    (word, n) => `r-${n + 5},Plain ${word} question,${word}`,
  ),
].join('\n');

/** A machine that does much else takes its time. */
const slow = { timeout: 300_000 };
const until = <T>(read: () => T) => expect.poll(read);

/** The same page once more. A reload may end the process of the page before what it saved has left it. */
async function nextTab(page: Page): Promise<Page> {
  const next = await page.context().newPage();
  await next.goto(page.url());
  return next;
}

let browser: Browser;
let report: Report;

beforeAll(async () => {
  if (chromiumPath === null) return;
  [browser, report] = await Promise.all([
    launchChromium(),
    makeReport(rows, '--fail-rate', '30%', '--seed', '4'),
  ]);
});

afterAll(async () => {
  await browser?.close();
  await report?.[Symbol.asyncDispose]();
});

describe.skipIf(chromiumPath === null)('report.html in a browser (needs Chromium)', slow, () => {
  it('says what the rest will cost, while rows wait and enough were paid for', async () => {
    const file = (count: number): string =>
      ['id,question', ...Array.from({ length: count }, (_, at) => `q-${at},What is ${at}?`)].join('\n');
    await using some = await makeReport(file(6));
    const figures = async () => {
      const { page } = await openPage(browser, some);
      const found = await page.locator('.figures > div').allTextContents();
      await page.context().close();
      return found;
    };
    expect(await figures()).toHaveLength(4);
    await some.write('q.csv', file(10));
    expect((await some.batch('run', 'q.csv', '--simulate', '--limit', '0')).code).toBe(4);
    expect((await figures()).at(-1)).toBe('points for the rest, estimated406 videos');
  });

  it('shows every row, its sums and its formulas, and is silent', async () => {
    const { page, troubles } = await openPage(browser, report);
    expect(await listedIds(page)).toHaveLength(14);
    await page.locator('#rows tr:first-child .katex').first().waitFor();
    await page.goto(`${report.url}#row=${encodeURIComponent('题-3')}`);
    const section = (name: string) =>
      page.locator('dialog.detail section').filter({ has: page.getByRole('heading', { name, exact: true }) });
    const question = section('Question').locator('.whole');
    await question.locator('.katex').first().waitFor();
    await until(() => question.locator('.katex').count()).toBe(2);
    await page.goto(`${report.url}#row=q-2`);
    await until(() => question.textContent()).toBe('He paid $5 and $10. How much is it?');
    await page.goto(`${report.url}#row=q-4`);
    await until(() => question.locator('.undrawn').allTextContents()).toEqual(['\\left( x']);
    expect(await question.locator('.katex').textContent()).toContain('\\nosuchcommand');
    expect(await section('Reference answer').locator('.whole').textContent()).toBe('\\def\\a{\\a\\a}\\a');
    expect(troubles).toEqual([]);
  });

  it('draws what asks for styles of its own without one that the policy refuses, and no more than a reader can read', async () => {
    const { page, troubles } = await openPage(browser, report, { hash: '#row=styles' });
    const formulas = page.locator('dialog.detail .whole .katex');
    await until(() => formulas.count()).toBe(6);
    const styles = await page
      .locator('dialog.detail .whole svg[style]')
      .evaluateAll((drawings) => drawings.map((drawing) => drawing.getAttribute('style')));
    expect(styles).toContainEqual(expect.stringMatching(/^width: *0\.\d+em/));
    expect(troubles).toEqual([]);
    await page.goto(`${report.url}#row=many`);
    await until(() => formulas.count()).toBe(600);
    await until(() => page.locator('dialog.detail .undrawn').count()).toBe(9_400);
    expect(troubles).toEqual([]);
  });

  it('plays a clip in place, and scrubs through its frames', async () => {
    const { page, troubles } = await openPage(browser, report, { hash: '#status=completed' });
    await page.locator('#rows a.open').first().click();
    const detail = page.locator('dialog.detail');
    await detail.waitFor();
    await page.keyboard.press('ArrowLeft');
    const frame = detail.locator('img.frame');
    await expect
      .poll(() => frame.evaluate((image: HTMLImageElement) => image.naturalWidth))
      .toBeGreaterThan(0);
    const last = await frame.getAttribute('src');
    await page.keyboard.press('ArrowLeft');
    await until(() => frame.getAttribute('src')).not.toBe(last);
    await detail.locator('.strip button').first().click();
    await until(() => frame.getAttribute('src')).toMatch(/001/);

    await page.locator('dialog.detail h2, dialog.detail header').first().click();
    await page.keyboard.press('Space');
    await page.waitForFunction(() => {
      const video = document.querySelector('video');
      return video !== null && video.videoWidth > 0 && video.currentTime > 0.1;
    });
    expect(await frame.isHidden()).toBe(true);
    expect(troubles).toEqual([]);
  });

  it('filters by status and by words, and sorts; the address says so', async () => {
    const { page, troubles } = await openPage(browser, report);
    const failed = await page.locator('#rows tr.failed').count();
    expect(failed).toBeGreaterThan(0);
    await page.locator('.chips:not(.reasons-bar) .chip.failed').click();
    await until(() => listedIds(page)).toHaveLength(failed);
    expect(page.url()).toContain('status=failed');
    await page.locator('.chips:not(.reasons-bar) .chip.failed').click();
    await page.locator('#search').fill('PLAIN daTe');
    await until(() => listedIds(page)).toEqual(['r-11', 'r-12']);
    await page.locator('#sort').selectOption('-row');
    await until(() => listedIds(page)).toEqual(['r-12', 'r-11']);
    await until(() => page.url()).toMatch(/q=PLAIN\+daTe.*sort=-row/);
    await page.reload();
    await until(() => listedIds(page)).toEqual(['r-12', 'r-11']);
    await page.locator('#search').fill('no such words');
    await until(() => page.locator('#found').textContent()).toBe('0 of 14 rows');
    expect(await page.locator('.nothing-found').textContent()).toContain('No row matches.');
    expect(troubles).toEqual([]);
  });

  it('opens a row by its address, and the way back closes it', async () => {
    const { page } = await openPage(browser, report, { hash: '#row=r-7&view=gallery' });
    const detail = page.locator('dialog.detail');
    await detail.waitFor();
    await until(() => detail.locator('#detail-id').textContent()).toBe('r-7');
    await page.keyboard.press('Escape');
    await detail.waitFor({ state: 'hidden' });
    await until(() => page.locator('.gallery li').count()).toBe(14);
    await page.locator('.gallery a.open').first().click();
    await detail.waitFor();
    await page.goBack();
    await detail.waitFor({ state: 'hidden' });
    await page.goForward();
    await detail.waitFor();
  });

  it('keeps a row open whose address comes back before the browser has reported that the last one was closed', async () => {
    const { page } = await openPage(browser, report);
    await page.locator('#rows a.open').first().click();
    const detail = page.locator('dialog.detail');
    await detail.waitFor();
    const isOpen = await detail.evaluate(async (dialog: HTMLDialogElement) => {
      const closed = new Promise((resolve) => dialog.addEventListener('close', resolve, { once: true }));
      const row = location.hash;
      for (const address of ['#', row]) {
        history.replaceState(null, '', address);
        dispatchEvent(new HashChangeEvent('hashchange'));
      }
      await closed;
      return dialog.open;
    });
    expect(isOpen).toBe(true);
    expect(page.url()).toContain('row=');
  });

  it('is all there for hands that stay on the keyboard', async () => {
    const { page } = await openPage(browser, report);
    const focusedId = () => page.evaluate(() => (document.activeElement as HTMLElement).dataset.id ?? null);
    await page.keyboard.press('/');
    await page.keyboard.type('plain');
    await until(() => listedIds(page)).toHaveLength(8);
    await page.keyboard.press('Escape');
    await page.keyboard.press('j');
    await page.keyboard.press('j');
    await until(focusedId).toBe('r-6');
    await page.keyboard.press('k');
    await page.keyboard.press('g');
    await expect
      .poll(() => page.locator('#rows tr').first().locator('.mark').textContent())
      .toContain('good');
    await page.keyboard.press('Enter');
    const detail = page.locator('dialog.detail');
    await detail.waitFor();
    await page.keyboard.press('j');
    await until(() => detail.locator('#detail-id').textContent()).toBe('r-6');
    await page.keyboard.press('n');
    await page.keyboard.type('gbu j');
    expect(await detail.locator('.note').inputValue()).toBe('gbu j');
    expect(await detail.locator('#detail-id').textContent()).toBe('r-6');
    await page.keyboard.press('Escape');
    expect(await detail.isVisible()).toBe(true);
    await page.keyboard.press('Escape');
    await detail.waitFor({ state: 'hidden' });
    await until(focusedId).toBe('r-6');
    await page.keyboard.press('v');
    await page.locator('.gallery li').first().waitFor();
    await page.keyboard.press('?');
    await page.locator('dialog.key-list').waitFor();
  });

  it('speaks the reader’s language, or the one chosen, and remembers it', async () => {
    const { page } = await openPage(browser, report, { locale: 'zh-CN' });
    const languageOf = (of: Page) => of.evaluate(() => document.documentElement.lang);
    await until(() => languageOf(page)).toBe('zh-CN');
    await until(() => page.locator('#rows tr').first().textContent()).toContain('完成');
    await page.locator('#language').selectOption('en');
    await until(() => languageOf(page)).toBe('en');
    await until(async () => languageOf(await nextTab(page))).toBe('en');
  });

  it('is dark where the reader wants it so', async () => {
    const { page } = await openPage(browser, report, { colorScheme: 'dark' });
    const brightness = (of = page) =>
      of.evaluate(() => {
        const [red = 0] = getComputedStyle(document.body).backgroundColor.match(/\d+/g) ?? [];
        return Number(red);
      });
    await until(() => brightness()).toBeLessThan(64);
    await page.locator('#theme').selectOption('light');
    await until(() => brightness()).toBeGreaterThan(192);
    await until(async () => brightness(await nextTab(page))).toBeGreaterThan(192);
  });

  it('prints the rows found, and no controls', async () => {
    const { page } = await openPage(browser, report, { hash: '#q=plain' });
    await page.emulateMedia({ media: 'print' });
    await page.evaluate(() => dispatchEvent(new Event('beforeprint')));
    await until(() => page.locator('.paper > li').count()).toBe(8);
    expect(await page.locator('.paper > li').first().isVisible()).toBe(true);
    for (const control of ['.toolbar', '.controls', '#rows']) {
      expect(await page.locator(control).isVisible()).toBe(false);
    }
    expect((await page.pdf()).length).toBeGreaterThan(1_000);
  });

  it('needs no scrolling sideways on a phone', async () => {
    const { page } = await openPage(browser, report, { viewport: { width: 390, height: 800 } });
    const overflow = () =>
      page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
    expect(await overflow()).toBe(0);
    await page.keyboard.press('v');
    await page.locator('.gallery li').first().waitFor();
    expect(await overflow()).toBe(0);
    await page.goto(`${report.url}#row=q-1`);
    const detail = page.locator('dialog.detail');
    await detail.waitFor();
    expect(await detail.evaluate((dialog) => dialog.scrollWidth - dialog.clientWidth)).toBe(0);
    const { width } = (await detail.boundingBox()) ?? { width: 0 };
    expect(width).toBe(390);
  });

  it.each(['en-GB', 'zh-CN'])(
    'keeps the charts wide enough to be read beside six figures, at every width (%s)',
    async (locale) => {
      const minute = 60_000;
      const rowNumber = (n: number) => ({ key: n, row: n, id: `q-${n}` });
      const done = Array.from({ length: 8 }, (_, n) => {
        const at = { submittedAt: submittedAt + n * minute, endedAt: submittedAt + (n + 50) * minute };
        return rowOf({ ...rowNumber(n + 1), ...at, points: 1_200 + 77 * n });
      });
      const none = { taskId: null, submittedAt: null, endedAt: null, points: null, artifacts: [] };
      const waiting = Array.from({ length: 30 }, (_, n) =>
        rowOf({ ...rowNumber(n + 9), ...none, status: 'pending' }, { attempts: [] }),
      );
      await using live = await makeLivePage([...done, ...waiting], {
        writtenAt: submittedAt + 60 * minute,
        cap: 400_000,
        rehearsal: true,
        concurrency: [
          [submittedAt, 4],
          [submittedAt + 30 * minute, 8],
        ],
      });
      const { page } = await openPage(browser, live, { locale });
      await until(() => page.locator('.figures > div').count()).toBe(6);
      await until(() => page.locator('.chart').count()).toBe(3);
      for (const width of [390, 700, 1_000, 1_120, 1_300, 1_550, 1_601, 1_700, 1_920]) {
        await page.setViewportSize({ width, height: 900 });
        const seen = await page.evaluate(() => {
          const over = [document.documentElement, ...document.querySelectorAll('.totals, .figures, .chart')]
            .filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth)
            .map(({ className }) => className);
          const charts = [...document.querySelectorAll('.chart')].map(
            (chart) => chart.getBoundingClientRect().width,
          );
          const list = document.querySelector('.list')?.getBoundingClientRect().top ?? Number.NaN;
          return { over, narrowest: Math.min(...charts), list };
        });
        expect(seen.over, `at ${width}`).toEqual([]);
        expect(seen.narrowest, `at ${width}`).toBeGreaterThan(200);
        if (width >= 1_000) expect(seen.list, `at ${width}`).toBeLessThan(600);
      }
      await page.context().close();
    },
  );
});

describe.skipIf(chromiumPath === null)('marks in a browser (needs Chromium)', slow, () => {
  it('survive a reload, and come out as the rows to make again', async () => {
    const { page, troubles } = await openPage(browser, report, { hash: '#status=completed' });
    const [first = '', second = '', third = ''] = await listedIds(page);
    const show = async (id: string): Promise<void> => {
      await page.goto(`${report.url}#row=${encodeURIComponent(id)}`);
      await until(() => page.locator('#detail-id').textContent()).toBe(id);
    };
    await show(first);
    await page.keyboard.press('b');
    await page.locator('dialog.detail .note').fill('the "axis" is wrong;\nsee 0:12');
    await show(second);
    await page.locator('.verdict.good').click();
    await show(third);
    await page.locator('.verdict.bad').click();

    await until(() => page.locator('.marks-menu summary').textContent()).toContain('1 good, 2 bad');
    await page.goto(`${report.url}#`);
    await page.reload();
    await page.locator('.marks-menu summary').click();
    await until(() => page.locator('.marks-menu .command').textContent()).toMatch(/^batch retry .*--only /);
    const download = await exportMarks(page);
    expect(download.suggestedFilename()).toBe('marks.csv');
    const csv = await readFile(await download.path(), 'utf8');
    expect(csv).toContain(`,${second},good,,1,completed,b`);
    expect(csv).toContain('"the ""axis"" is wrong;\nsee 0:12"');
    expect(troubles).toEqual([]);

    await report.write('marks.csv', csv);
    const ending = await report.batch('retry', '--only', '@marks.csv', '--simulate', '--yes');
    expect(ending.stderr).toContain('2 rows');
    const lines = reportLines(await readFile(join(report.out, 'report.jsonl'), 'utf8'));
    const tried = lines.filter(({ attempts }) => attempts > 1);
    expect(tried.map(({ id }) => id)).toEqual([first, third]);

    await page.reload();
    await until(() => page.locator('.marks-menu summary').textContent()).toContain('1 good, 0 bad');
    expect(await page.locator('#rows .mark-before').allTextContents()).toEqual([
      'marked bad on attempt 1 ✎',
      'marked bad on attempt 1',
    ]);
    await show(third);
    await until(() => page.locator('.verdict-bar .mark-before').textContent()).toBe(
      'marked bad on attempt 1',
    );
    expect(await page.locator('.verdict[aria-pressed=true]').getAttribute('class')).toBe('verdict none');
    // Its second attempt made no video: that of the first is on the screen.
    await show(first);
    await until(() => page.locator('.verdict[aria-pressed=true]').getAttribute('class')).toBe('verdict bad');
  });

  it('come in from the file of another reviewer', async () => {
    const { page } = await openPage(browser, report);
    const csv =
      '\ufeffrow;id;mark;note;status\r\n1;q-1;bad;"zu schnell";completed\r\n2;other;good;;completed\r\n';
    await page.locator('.marks-menu summary').click();
    await page
      .locator('.marks-menu input[type=file]')
      .setInputFiles({ name: 'marks.csv', mimeType: 'text/csv', buffer: Buffer.from(csv, 'utf16le') });
    await until(() => page.locator('.marks-menu .said').textContent()).toBe('1 mark imported');
    await page.locator('#mark').selectOption('bad');
    await until(() => listedIds(page)).toEqual(['q-1']);
  });
});
