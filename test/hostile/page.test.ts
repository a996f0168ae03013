import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it, test } from 'vitest';
import { completed, errorEnvelope, failed, type Script, success } from '../cli/support/scripted-service.ts';
import { openStage, runLine, type Stage } from '../cli/support/stage.ts';
import { chromiumPath, launchChromium } from '../support/chromium.ts';
import { markup } from './markup.ts';

const kinds = ['completed', 'failed', 'rejected', 'lost'] as const;

/** Each text three times, each time another way to end; more rows than the page shows at first. */
const rows = Array.from({ length: 3 }, (_, round) =>
  markup.map((text, at) => {
    const n = round * markup.length + at;
    return { n, text, kind: kinds[(at + round) % kinds.length] };
  }),
).flat();

const rowOf = (question: string) => rows[Number(/#(\d+)$/.exec(question)?.[1])];

const script: Script = {
  create: ({ question }) => {
    const { kind, text = '', n } = rowOf(question) ?? {};
    if (kind === 'rejected') return errorEnvelope(text);
    return kind === 'lost' ? success({ task_id: `${text}${n}` }) : undefined;
  },
  status: (task) => {
    const { kind, text = '' } = rowOf(task.question) ?? {};
    if (kind === 'failed') return failed(task, text);
    return completed(task, {
      title: text,
      created_at: text,
      consumption: [{ type: 'score', value: 1, detail: text }],
    });
  },
};

/** What happened to a page that must not do anything by itself. */
interface Happenings {
  readonly requests: string[];
  /** Dialogs, errors, windows, violations of the policy. */
  readonly troubles: string[];
}

function watch(page: Page): Happenings {
  const happenings: Happenings = { requests: [], troubles: [] };
  const { requests, troubles } = happenings;
  page.on('request', (request) => void requests.push(request.url()));
  page.on('dialog', (dialog) => {
    troubles.push(`dialog ${dialog.message()}`);
    void dialog.dismiss();
  });
  page.on('pageerror', (error) => void troubles.push(`error ${error.message}`));
  page.on('console', (message) => void troubles.push(`${message.type()} ${message.text()}`));
  page.on('popup', (popup) => void troubles.push(`window ${popup.url()}`));
  page.on('framenavigated', (frame) => {
    if (frame !== page.mainFrame()) troubles.push(`frame ${frame.url()}`);
  });
  return happenings;
}

interface Shown {
  readonly id: string;
  readonly question: string;
  readonly title: string | null;
  readonly failure: string | null;
}

/** The rows as the page shows them: their text, and nothing else in their cells than what the page makes of text. */
function readRows(page: Page): Promise<Shown[]> {
  return page.$$eval('#rows tr', (rows) =>
    rows.map((row) => {
      const textOf = (name: string) => row.querySelector(`:scope > .text > .${name}`)?.textContent ?? null;
      return {
        id: row.querySelector('.id')?.textContent ?? '',
        question: textOf('question') ?? '',
        title: textOf('title'),
        failure: textOf('failure'),
      };
    }),
  );
}

/** Runs the tool over the whole list; the output folder is called by a hostile name too. */
async function runMarkup(stage: Stage): Promise<{ readonly page: string; readonly report: Shown[] }> {
  const out = `<img src=x onerror=pwned()> & "videos" #1`;
  const input = rows.map(({ n, text }) => ({
    id: `${text} ${n}`,
    question: `${text} #${n}`,
    answer: text,
    quality: n % 7 === 6 ? text : 'h',
    [text]: text,
  }));
  await stage.write('q.jsonl', input.map((row) => JSON.stringify(row)).join('\n'));
  const ending = await stage.batch(runLine('q.jsonl', '--out', out, '-j', '300', '-y'));
  expect(ending.code, ending.stderr).toBe(1);
  const lines = (await stage.read(`${out}/report.jsonl`)).trim().split('\n');
  return {
    page: join(stage.folder, out, 'report.html'),
    report: lines.map((line) => {
      const { id, question, title, failure } = JSON.parse(line);
      return { id, question, title, failure };
    }),
  };
}

describe.skipIf(chromiumPath === null)(
  'report.html in a browser (needs Chromium)',
  { timeout: 180_000 },
  () => {
    let browser: Browser;
    beforeAll(async () => {
      browser = await launchChromium();
    });
    afterAll(() => browser?.close());

    it('shows every hostile text as it is, and runs, loads and asks nothing of it', async () => {
      await using stage = await openStage(script);
      const { page: file, report } = await runMarkup(stage);
      const page = await browser.newPage();
      const { requests, troubles } = watch(page);
      const pwned: string[] = [];
      await page.exposeFunction('pwned', () => void pwned.push('called'));
      const url = pathToFileURL(file).href;

      await page.goto(url);
      expect(await readRows(page)).toEqual(report.slice(0, 200));
      await page.click('#all');
      expect(await readRows(page)).toEqual(report);
      expect(await page.textContent('h1')).toBe(`<img src=x onerror=pwned()> & "videos" #1`);
      expect(requests).toEqual([url]);

      // Elements of the page are those its own script makes; none came out of a text.
      const tags = await page.$$eval('*', (all) => [...new Set(all.map((one) => one.localName))].sort());
      expect(tags.filter((tag) => !ownTags.includes(tag))).toEqual([]);
      const attributes = await page.$$eval('body *', (all) => [
        ...new Set(all.flatMap((one) => one.getAttributeNames())),
      ]);
      expect(attributes.filter((name) => /^on|^style$|^srcdoc$|^action$/.test(name))).toEqual([]);

      // Everything that can be clicked, chosen and typed.
      const plays = await page.$$('#rows button');
      expect(plays.length).toBeGreaterThan(rows.length / 5);
      for (const play of plays.slice(0, 8)) await play.click();
      await page.$$eval('#rows *', (all) => {
        for (const one of all)
          if (one.localName !== 'a') one.dispatchEvent(new Event('click', { bubbles: true }));
      });
      for (const text of [...markup.slice(0, 12), '__proto__', 'constructor']) {
        await page.fill('#search', text);
        await expect.poll(() => page.textContent('#shown')).toBe(shownFor(report, text));
      }
      await page.fill('#search', '');
      for (const status of kinds) await page.selectOption('#status', status);

      await page.selectOption('#status', 'completed');
      const links = await page.$$eval('#rows a', (all) => all.map((one) => one.getAttribute('href') ?? ''));
      expect(links.length).toBeGreaterThan(rows.length / 5);
      for (const link of links.map((href) => new URL(href, url).href)) {
        expect(link.startsWith(new URL('.', url).href)).toBe(true);
        expect(existsSync(fileURLToPath(link)), link).toBe(true);
      }

      const outside = requests.filter((one) => !one.startsWith(new URL('.', url).href));
      expect(outside).toEqual([]);
      expect(troubles).toEqual([]);
      expect(pwned).toEqual([]);
      await page.close();
    });

    it('would be seen to run one of these texts: a page that writes them as markup does', async () => {
      const page = await browser.newPage();
      const { requests, troubles } = watch(page);
      const pwned: string[] = [];
      await page.exposeFunction('pwned', () => void pwned.push('called'));
      await page.setContent(`<!doctype html>${markup.join('\n').replaceAll('<!--', '')}`);
      await expect.poll(() => pwned.length).toBeGreaterThan(3);
      expect(requests.length).toBeGreaterThan(1);
      expect(troubles).not.toEqual([]);
      await page.close();
    });
  },
);

const ownTags = [
  ...[
    'a',
    'b',
    'body',
    'button',
    'div',
    'h1',
    'head',
    'header',
    'html',
    'input',
    'label',
    'li',
    'main',
    'meta',
  ],
  ...[
    'noscript',
    'option',
    'p',
    'script',
    'select',
    'style',
    'table',
    'tbody',
    'td',
    'th',
    'thead',
    'title',
    'tr',
  ],
  ...['ul', 'video'],
];

/** What the page says of a search. */
function shownFor(report: readonly Shown[], text: string): string {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  const found = report.filter((row, at) => {
    const all = [at + 1, row.id, row.question, row.title, row.failure].join('\n').toLowerCase();
    return words.every((word) => all.includes(word));
  });
  const shown = Math.min(found.length, 200);
  return `${shown} of ${found.length} ${found.length === 1 ? 'row' : 'rows'}`;
}

test('the list is long', () => {
  expect(markup.length).toBeGreaterThanOrEqual(50);
  expect(new Set(markup).size).toBe(markup.length);
});
