/**
 * Takes the pictures of the README from a real run of the embedded service: the terminal as xterm shows the program's own
 * bytes, the page as Chromium shows it. `npm run screenshots`; needs Chromium and `script`.
 */

import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Terminal as Xterm } from '@xterm/xterm';
import type { Browser, Page } from 'playwright-core';
import { launchChromium } from '../support/chromium.ts';

const target = resolve('docs/images');
const rowCount = 240;
const terminal = { columns: 100, rows: 16 };

/** The sample questions over and over, with ids of their own. */
function manyQuestions(): string {
  const samples = readFileSync('samples/questions.jsonl', 'utf8').trim().split('\n');
  const chinese = [
    {
      question: '已知函数 $f(x)=x^2-2ax+3$ 在区间 $[1,3]$ 上单调递增，求实数 $a$ 的取值范围。',
      answer: '$a \\le 1$',
    },
    {
      question:
        '甲、乙两人同时从相距 $36$ 千米的两地相向而行，$3$ 小时后相遇。甲每小时行 $7$ 千米，乙每小时行多少千米？',
      answer: '$5$ 千米',
    },
    { question: '计算 $\\displaystyle\\int_0^1 x e^x \\, dx$。', answer: '$1$' },
  ];
  const texts = samples.map((line) => JSON.parse(line) as object).filter((row) => !('questionImages' in row));
  const questions = [...texts, ...chinese];
  const rows = Array.from({ length: rowCount }, (_, index) => ({
    ...questions[index % questions.length],
    id: `q-${String(index + 1).padStart(4, '0')}`,
  }));
  return rows.map((row) => `${JSON.stringify(row)}\n`).join('');
}

/** A run in a terminal; what it wrote, piece by piece, until `isEnough` or its end. */
function runInTerminal(
  folder: string,
  words: string[],
  isEnough: (text: string) => boolean,
): Promise<string> {
  const size = `stty cols ${terminal.columns} rows ${terminal.rows}`;
  const line = `${size}; exec ${process.execPath} ${resolve('dist/cli.js')} ${words.join(' ')}`;
  const env = { ...process.env, TERM: 'xterm-256color', CI: '', NO_COLOR: '' };
  const child = spawn('script', ['-qefc', line, '/dev/null'], {
    cwd: folder,
    env,
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  return new Promise((done, fail) => {
    let text = '';
    child.on('error', fail);
    child.stdout.setEncoding('utf8').on('data', (piece: string) => {
      text += piece;
      if (isEnough(text)) {
        done(text);
        child.kill('SIGINT');
      }
    });
    child.on('close', () => done(text));
  });
}

async function showTerminal(browser: Browser, bytes: string, name: string): Promise<void> {
  const page = await browser.newPage({ deviceScaleFactor: 2, viewport: { width: 1_000, height: 600 } });
  await page.setContent(
    '<body style="margin:0;background:#14161a"><div id="terminal" style="padding:14px;width:max-content"></div>',
  );
  await page.addStyleTag({ path: 'node_modules/@xterm/xterm/css/xterm.css' });
  await page.addScriptTag({ path: 'node_modules/@xterm/xterm/lib/xterm.js' });
  await page.evaluate(
    ({ bytes, terminal }) => {
      const { Terminal } = globalThis as unknown as { Terminal: typeof Xterm };
      const screen = new Terminal({
        cols: terminal.columns,
        rows: terminal.rows,
        fontSize: 14,
        fontFamily: '"DejaVu Sans Mono", "Noto Sans Mono CJK SC", monospace',
        theme: { background: '#14161a', foreground: '#d7dae0', cursor: '#14161a' },
      });
      const place = document.getElementById('terminal');
      if (place !== null) screen.open(place);
      return new Promise<void>((done) => screen.write(bytes, done));
    },
    { bytes, terminal },
  );
  // Drawn at the next frame of the browser.
  await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
  await page.locator('#terminal').screenshot({ path: join(target, name) });
  await page.close();
}

async function openPage(browser: Browser, address: string, options: object): Promise<Page> {
  const page = await browser.newPage({
    viewport: { width: 1_280, height: 860 },
    locale: 'en-GB',
    ...options,
  });
  await page.goto(address);
  return page;
}

const folder = mkdtempSync(join(tmpdir(), 'batch-screenshots-'));
mkdirSync(target, { recursive: true });
writeFileSync(join(folder, 'questions.jsonl'), manyQuestions());
const browser = await launchChromium();
try {
  const words = [
    'run',
    'questions.jsonl',
    '--simulate',
    '--yes',
    '-j',
    '24',
    '--duration',
    '6s',
    '--fail-rate',
    '4%',
  ];
  const half = (text: string): boolean =>
    Number(/(\d+) of 240 done(?!.* of 240 done)/s.exec(text)?.[1] ?? 0) >= 110;
  await showTerminal(browser, await runInTerminal(folder, words, half), 'terminal.png');
  await runInTerminal(folder, ['resume', '--yes'], () => false);
  const report = pathToFileURL(join(folder, 'videos/report.html')).href;
  for (const [name, options, hash] of [
    ['page.png', {}, '#view=gallery'],
    ['page-row.png', {}, '#row=q-0009'],
  ] as const) {
    const page = await openPage(browser, report + hash, options);
    await page
      .locator(hash.startsWith('#row') ? 'dialog.detail[open]' : '#rows > tr:visible, .gallery > li:visible')
      .first()
      .waitFor();
    await page.waitForLoadState('networkidle');
    await page.screenshot({ path: join(target, name) });
    await page.close();
  }
} finally {
  await browser.close();
  rmSync(folder, { recursive: true, force: true });
}
