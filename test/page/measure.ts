/**
 * How quick `report.html` is with many rows, in real Chromium: `node test/page/measure.ts --rows 10000,100000`.
 * The rows are such as people have: Chinese and English questions with formulas, eight frames each; three in a hundred
 * videos are worth a look, and one row in ten has an earlier attempt.
 */

import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import type { Browser, Page } from 'playwright-core';
import { pageAssets } from '../../src/app/page-assets.ts';
import type { Status } from '../../src/money/item.ts';
import { openFileOutputTree } from '../../src/outputs/file-output-tree.ts';
import { buildPage } from '../../src/page/build.ts';
import { writeReports } from '../../src/reports/write-report.ts';
import type { ReportRow } from '../../src/stores/port/reading.ts';
import { artifactOf, attemptOf, itemOf, source, submittedAt } from '../reports/report-rows.ts';
import { launchChromium } from '../support/chromium.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const questions = [
  '已知函数 $f(x)=\\sin^2 x+\\sqrt{3}\\sin x\\cos x-\\frac{1}{2}$，$x\\in\\mathbf{R}$。求函数 $f(x)$ 的最小正周期和单调递增区间；在 $\\triangle ABC$ 中，若 $f(A)=\\frac{1}{2}$，$a=\\sqrt{3}$，求 $\\triangle ABC$ 面积的最大值，并写出取得最大值时 $b$ 与 $c$ 的值。',
  'Let $a_1, a_2, \\ldots, a_n$ be a sequence with $a_1 = 1$ and $a_{n+1} = 2a_n + 3^n$ for all $n \\ge 1$. Find a closed form of $a_n$, prove it by induction, and compute $\\lim_{n\\to\\infty} \\frac{a_n}{3^n}$. Explain every step, and draw the first six terms on a number line.',
  '如图，在四棱锥 $P-ABCD$ 中，底面 $ABCD$ 为矩形，$PA\\perp$ 平面 $ABCD$，$PA=AB=2$，$AD=4$，$E$ 为 $PD$ 的中点。证明：$PB\\parallel$ 平面 $AEC$；求二面角 $D-AE-C$ 的余弦值；并求点 $B$ 到平面 $AEC$ 的距离，要求画出辅助线，说明每一步的理由。',
  'A store sells pens at $2 each and notebooks at $5 each. Mia spends $64 on 20 items, and pays with a $100 bill. How many pens did she buy, how much change does she get, and what would she have paid with a discount of 15% on everything? Show the system of equations and solve it step by step.',
];

const frameCount = 8;

const suspect: ReportRow['inspection'] = {
  container: null,
  playback: null,
  findings: [{ code: 'no-sound' }, { code: 'duration', times: 0.2 }],
};

/** Row number `n`, from 1. */
function rowOf(n: number): ReportRow {
  const status: Status = n % 50 === 0 ? 'failed' : n % 173 === 0 ? 'uncertain' : 'completed';
  const id = `q-${String(n).padStart(6, '0')}`;
  const at = submittedAt + n * 1_000;
  const isDone = status === 'completed';
  const frames = Array.from({ length: frameCount }, (_, index) =>
    artifactOf({ kind: 'frame', ordinal: index + 1, path: `${id}/frames/00${index + 1}.png` }),
  );
  const attempt = n % 10 === 0 ? 2 : 1;
  const path = `${id}/attempt-1/video.mp4`;
  const earlier = attempt === 1 ? [] : [artifactOf({ kind: 'earlier-video', ordinal: 1, path })];
  const item = itemOf({
    key: n,
    row: n,
    id,
    folder: id,
    status,
    submittedAt: at,
    endedAt: at + 60_000 + ((n * 7_919) % 240_000),
    taskId: `task-${n}-3f2b8c1d`,
    points: isDone ? 8 + (n % 7) : status === 'failed' ? 0 : null,
    failure: status === 'failed' ? `Generation failed: step ${n % 9} could not be rendered` : null,
    artifacts: isDone ? [...earlier, artifactOf({ path: `${id}/video.mp4` }), ...frames] : [],
    attempt,
  });
  const question = `${questions[n % questions.length]} (${n})`;
  return {
    item,
    gone: false,
    edit: null,
    preferred: null,
    final: null,
    correction: null,
    earlierInputs: [],
    earlierCorrections: [],
    decisions: [],
    marks: [],
    input: { id, question, answer: `$x = ${n}$`, quality: 'm' },
    source: {
      ...source,
      columns: ['id', 'question', 'answer', 'quality'],
      fields: { id: 'id', question: 'question', answer: 'answer', quality: 'quality' },
    },
    attempts: Array.from({ length: attempt }, (_, before) =>
      attemptOf({ attempt: before + 1, submittedAt: at }),
    ),
    inspection: n % 33 === 0 && isDone ? suspect : null,
  };
}

async function writePage(folder: string, count: number): Promise<string> {
  const reportPages = async function* (): AsyncGenerator<readonly ReportRow[]> {
    for (let n = 1; n <= count; n++) yield [rowOf(n)];
  };
  const tree = await openFileOutputTree(folder, Date.now);
  const names = { out: './videos', folder, run: `measure-${count}` };
  const facts = { ...names, writtenAt: submittedAt, running: false, assets: pageAssets() };
  await writeReports({ reportPages, sources: async () => [] }, tree, facts);
  return join(folder, 'report.html');
}

/** Notes when rows are there to be seen; runs before the page's own script. */
function watchForRows(): void {
  const watch = new MutationObserver(() => {
    if (document.querySelectorAll('#rows tr').length < 100) return;
    watch.disconnect();
    requestAnimationFrame(() => performance.mark('rows'));
  });
  watch.observe(document, { childList: true, subtree: true });
}

/** Does something to the page and returns the ms until it is painted. */
function timed(page: Page, selector: string, text: string | null): Promise<number> {
  return page.evaluate(
    async ([selector, text]) => {
      const control = document.querySelector<HTMLInputElement>(selector);
      if (control === null) throw new Error(`there is no ${selector}`);
      const painted = () =>
        new Promise<void>((resolve) => requestAnimationFrame(() => setTimeout(resolve, 0)));
      const startedAt = performance.now();
      if (text === null) control.click();
      else {
        control.value = text;
        control.dispatchEvent(new Event('input', { bubbles: true }));
      }
      await painted();
      return performance.now() - startedAt;
    },
    [selector, text] as const,
  );
}

async function measure(browser: Browser, count: number): Promise<Record<string, string>> {
  await using folder = await temporaryFolder();
  const writing = performance.now();
  const path = await writePage(folder.path, count);
  const writeMs = performance.now() - writing;
  const page = await browser.newPage({ viewport: { width: 1280, height: 900 } });
  page.setDefaultTimeout(300_000);
  await page.addInitScript(watchForRows);
  await page.goto(pathToFileURL(path).href, { timeout: 300_000 });
  await page.waitForFunction((count) => {
    const text = document.querySelector('#found')?.textContent ?? '';
    return Number(text.replace(/\D/g, '')) === count && performance.getEntriesByName('rows').length > 0;
  }, count);
  const [paint, rows, whole] = await page.evaluate(() => [
    performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? Number.NaN,
    performance.getEntriesByName('rows')[0]?.startTime ?? Number.NaN,
    performance.now(),
  ]);
  const session = await page.context().newCDPSession(page);
  const heap = async (): Promise<number> => {
    await session.send('HeapProfiler.collectGarbage');
    const { usedSize } = await session.send('Runtime.getHeapUsage');
    return usedSize;
  };
  const heapBytes = await heap();
  const firstFilter = await timed(page, '#search', 'could not be rendered');
  const secondFilter = await timed(page, '#search', '二面角 99');
  await timed(page, '#search', '');
  const status = await timed(page, '.chips:not(.reasons-bar) .chip.failed', null);
  await timed(page, '.chips:not(.reasons-bar) .chip.failed', null);
  const sort = await timed(page, 'th.seconds button', null);
  const heapAfterBytes = await heap();
  await page.close();
  const ms = (value = Number.NaN): string => `${Math.round(value)} ms`;
  const megabytes = (bytes: number): string => `${(bytes / 1e6).toFixed(1)} MB`;
  return {
    file: megabytes((await stat(path)).size),
    'written in': ms(writeMs),
    'first contentful paint': ms(paint),
    '100 rows visible': ms(rows),
    'all rows read': ms(whole),
    'first search': ms(firstFilter),
    'next search': ms(secondFilter),
    'filter by status': ms(status),
    sort: ms(sort),
    'heap when read': megabytes(heapBytes),
    'heap after searches': megabytes(heapAfterBytes),
  };
}

const { values } = parseArgs({ options: { rows: { type: 'string', default: '10000,100000' } } });
await buildPage();
const browser = await launchChromium();
const columns: Record<string, Record<string, string>> = {};
try {
  for (const count of values.rows.split(',').map(Number)) {
    for (const [name, value] of Object.entries(await measure(browser, count)))
      columns[name] = { ...columns[name], [`${count} rows`]: value };
  }
} finally {
  await browser.close();
}
process.stdout.write(`Chromium ${browser.version()}, ${process.arch}\n`);
// biome-ignore lint/suspicious/noConsole: a table for whoever measures.
console.table(columns);
