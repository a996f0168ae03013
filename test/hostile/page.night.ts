import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it, test } from 'vitest';
import { quickPauses, swiftly } from '../cli/support/program.ts';
import { completed, errorEnvelope, failed, type Script, success } from '../cli/support/scripted-service.ts';
import { openStage, runLine, type Stage } from '../cli/support/stage.ts';
import { chromiumPath, launchChromium } from '../support/chromium.ts';
import { markup } from './markup.ts';

/** Hundreds of looks: none of them waits for longer than it must. */
const patiently = { interval: 10 };

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
  readonly answer: string;
  readonly taskId: string | null;
}

const listed = ({ id, question, failure }: Shown) => ({ id, question, failure });

/** The rows of all pages of the list, as text. A formula counts as it was written: what it looks like is not what is asked here. */
async function readList(page: Page, entry: string): Promise<unknown[]> {
  const found: unknown[] = [];
  for (;;) {
    const rows = await page.$$eval(entry, (rows) =>
      rows.map((shown) => {
        const row = shown.cloneNode(true) as typeof shown;
        for (const one of row.querySelectorAll('.katex'))
          one.replaceWith(`$${one.querySelector('annotation')?.textContent}$`);
        return {
          id: row.querySelector('a.open')?.textContent ?? '',
          question: row.querySelector('.text')?.textContent ?? '',
          failure: row.querySelector('.failure')?.textContent ?? null,
        };
      }),
    );
    found.push(...rows);
    const next = page.getByRole('button', { name: 'Next page' });
    if (!(await next.isEnabled())) return found;
    await next.click();
  }
}

/** What the open detail says. */
function readDetail(page: Page): Promise<unknown> {
  return page.$eval('dialog.detail', (shown) => {
    const detail = shown.cloneNode(true) as typeof shown;
    for (const one of detail.querySelectorAll('.katex'))
      one.replaceWith(`$${one.querySelector('annotation')?.textContent}$`);
    const names = [...detail.querySelectorAll('h3, dt')];
    const under = (name: string) => names.find((one) => one.textContent === name)?.nextElementSibling;
    return {
      id: detail.querySelector('h2')?.textContent,
      question: under('Question')?.textContent ?? null,
      answer: under('Reference answer')?.textContent ?? null,
      title: under('Title')?.textContent ?? null,
      failure: under('What went wrong')?.textContent ?? null,
      taskId: under('Task id')?.querySelector('code')?.textContent ?? null,
    };
  });
}

/** Runs the tool over the whole list; the output folder is called by a hostile name too. */
async function runMarkup(stage: Stage): Promise<{ readonly page: string; readonly report: Shown[] }> {
  const out = `<img src=x onerror=pwned()> & "videos" #1`;
  const file = `${out}.jsonl`;
  const input = rows.map(({ n, text }) => ({
    id: `${text} ${n}`,
    question: `${text} #${n}`,
    answer: text,
    quality: n % 7 === 6 ? text : 'h',
    [text]: text,
  }));
  await stage.write(file, input.map((row) => JSON.stringify(row)).join('\n'));
  // Some rows are asked about for ten minutes.
  const node = [...swiftly, ...quickPauses.node];
  const ending = await stage.batch(runLine(file, '--out', out, '-j', '300', '-y'), { node });
  expect(ending.code, ending.stderr).toBe(1);
  const lines = (await stage.read(`${out}/report.jsonl`)).trim().split('\n');
  return {
    page: join(stage.folder, out, 'report.html'),
    report: lines.map((line) => {
      const { id, question, title, failure, task_id: taskId } = JSON.parse(line);
      return { id, question, title, failure, taskId, answer: rowOf(question)?.text ?? '' };
    }),
  };
}

describe.skipIf(chromiumPath === null)(
  'report.html in a browser (needs Chromium)',
  { timeout: 600_000 },
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
      await expect.poll(() => page.textContent('#found'), patiently).toBe(`${rows.length} rows`);
      expect(await page.textContent('h1')).toBe(`<img src=x onerror=pwned()> & "videos" #1.jsonl`);
      expect(await readList(page, '#rows tr')).toEqual(report.map(listed));
      expect(requests.filter((one) => !one.startsWith('data:'))).toEqual([url]);
      await page.keyboard.press('v');
      expect(await readList(page, '.gallery > li')).toEqual(report.map(listed));
      await page.getByRole('button', { name: 'First page' }).click();
      await page.keyboard.press('j');
      await page.keyboard.press('Enter');
      for (const row of report.slice(0, markup.length)) {
        await expect.poll(() => readDetail(page), patiently).toEqual(row);
        await page.keyboard.press('j');
      }

      // Elements of the page are those its own script makes; none came out of a text.
      const tags = await page.$$eval('*', (all) => [...new Set(all.map((one) => one.localName))].sort());
      expect(tags.filter((tag) => !ownTags.has(tag))).toEqual([]);
      const attributes = await page.$$eval('body *', (all) => [
        ...new Set(all.flatMap((one) => one.getAttributeNames())),
      ]);
      expect(attributes.filter((name) => /^on|^style$|^srcdoc$|^action$/.test(name))).toEqual([]);

      // Everything that can be clicked, chosen and typed.
      await page.keyboard.press('Escape');
      await page.keyboard.press('t');
      await page.$$eval('#app *', (all) => {
        for (const one of all)
          if (one.closest('a, .controls, .states, .toolbar') === null)
            one.dispatchEvent(new Event('click', { bubbles: true }));
      });
      await page.keyboard.press('Escape');
      for (const text of [...markup.slice(0, 12), '__proto__', 'constructor']) {
        await page.fill('#search', text);
        await expect.poll(() => page.textContent('#found'), patiently).toBe(foundFor(report, text));
      }
      await page.fill('#search', '');
      for (const status of kinds) await page.click(`.chips:not(.reasons-bar) .chip.${status}`);

      // Notes and the file they are kept in.
      await page.goto(`${url}#row=${encodeURIComponent(report[0]?.id ?? '')}`);
      await page.fill('.note', markup.join('\n'));
      await page.click('.correct');
      await page.locator('.corrected-text').first().fill(markup.join('\n'));
      await page.keyboard.press('Escape');
      await page.keyboard.press('Escape');
      await page.keyboard.press('Escape');
      await expect.poll(() => page.url(), patiently).not.toContain('row=');
      for (const text of markup) {
        await page.goto(`${url}#${new URLSearchParams({ row: text, q: text, status: text, sort: text })}`);
        await expect.poll(() => page.textContent('dialog.detail h2'), patiently).toBe(text);
      }

      await page.goto(`${url}#status=completed`);
      await expect.poll(() => page.locator('#rows tr').count(), patiently).toBeGreaterThan(rows.length / 5);
      const links = await page.$$eval('a[href]', (all) => all.map((one) => one.getAttribute('href') ?? ''));
      expect(links.length).toBeGreaterThan(rows.length / 5);
      expect(links.filter((href) => !href.startsWith('#'))).toEqual([]);
      await page.click('a.open');
      const video = await page.getByRole('link', { name: 'Video file' }).getAttribute('href');
      expect(existsSync(fileURLToPath(new URL(video ?? '', url)))).toBe(true);

      const outside = requests.filter(
        (one) => !one.startsWith('data:') && !one.startsWith(new URL('.', url).href),
      );
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

const ownTags = new Set(
  [
    'a article b body button circle code dd details dialog div dl dt figcaption figure h1 h2 h3 head header html i img',
    'input kbd label li link main meta nav ol option output p path rect script section select small span style',
    'summary svg table tbody td textarea th thead title tr track ul video',
  ].flatMap((names) => names.split(' ')),
);

/** What the page says of a search. */
function foundFor(report: readonly Shown[], text: string): string {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  const found = report.filter((row) => {
    const all = [row.id, row.question, row.answer, row.title, row.failure, row.taskId]
      .join('\n')
      .toLowerCase();
    return words.every((word) => all.includes(word));
  });
  return found.length === 0 ? 'No row matches.' : `${found.length} of ${report.length} rows`;
}

test('the list is long', () => {
  expect(markup.length).toBeGreaterThanOrEqual(50);
  expect(new Set(markup).size).toBe(markup.length);
});
