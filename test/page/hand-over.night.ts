/**
 * What people do when a run is over: they look at the suspects first, mark and correct in two browsers, have rows made
 * again, choose between attempts, and hand the videos over.
 */

import { spawnSync } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parse } from 'csv-parse/sync';
import { stringify } from 'csv-stringify/sync';
import type { Browser, Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { openClips } from '../../src/service/simulator/clips.ts';
import { startProgram } from '../cli/support/program.ts';
import { chromiumPath, launchChromium } from '../support/chromium.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { gsm8kCount, wordProblems } from '../support/word-problems.ts';
import { exportMarks, openPage } from './support/report.ts';

const rowCount = gsm8kCount;
const damagedShare = '3%';

const lacksRclone = spawnSync('rclone', ['version']).status !== 0;
const lacking = [...(chromiumPath === null ? ['chromium'] : []), ...(lacksRclone ? ['rclone'] : [])];
const needs = lacking.length === 0 ? '' : ` (apt-get install ${lacking.join(' ')})`;

type Line = Readonly<Record<string, string>>;
const tableOf = (text: string): Line[] => parse(text, { bom: true, columns: true });

/** The marks of this browser, as its reader exports them. */
async function exported(page: Page): Promise<string> {
  await page.keyboard.press('Escape');
  await page.locator('.marks-menu summary').click();
  const download = await exportMarks(page);
  return readFile(await download.path(), 'utf8');
}

/** Marks these rows by keyboard, in the order in which the page lists them; one of them gets a corrected question. */
async function review(
  browser: Browser,
  out: string,
  { ids, key, corrected }: { ids: readonly string[]; key: (id: string) => string; corrected: Line },
): Promise<string> {
  const url = pathToFileURL(join(out, 'report.html')).href;
  const { page, troubles } = await openPage(browser, { out, url }, { hash: `#row=${ids[0]}` });
  const shown = page.locator('#detail-id');
  for (const id of ids) {
    await expect.poll(() => shown.textContent()).toBe(id);
    await page.keyboard.press(key(id));
    const text = corrected[id];
    if (text !== undefined) {
      await page.keyboard.press('e');
      await page.getByRole('textbox', { name: 'Corrected question' }).fill(text);
      await page.keyboard.press('Escape');
    }
    await page.keyboard.press('j');
  }
  const marks = await exported(page);
  expect(troubles).toEqual([]);
  await page.context().close();
  return marks;
}

it.skipIf(needs !== '')(
  `${rowCount} videos, some damaged, are reviewed in two browsers, corrected, made again, chosen and handed over${needs}`,
  { timeout: 1_800_000 },
  async () => {
    await using folder = await temporaryFolder();
    const out = join(folder.path, 'videos');
    const at = (...names: readonly string[]) => join(folder.path, ...names);
    const batch = async (...args: readonly string[]) => {
      const ending = await startProgram(args, { cwd: folder.path }).ended;
      return { ...ending, said: ending.stdout + ending.stderr };
    };
    const reported = async () => tableOf(await readFile(join(out, 'report.csv'), 'utf8'));
    const rows = wordProblems(rowCount).map((question, i) => ({
      id: `q-${i + 1}`,
      chapter: `Part ${1 + (i % 3)}`,
      question,
    }));
    await writeFile(at('q.csv'), stringify(rows, { header: true }));
    const rehearsal = ['--simulate', '--duration', '300ms', '--seed', '3', '--fail-rate', '0'];
    const damage = ['--fault', `damaged-video=${damagedShare}`];

    const made = await batch('run', 'q.csv', ...rehearsal, ...damage, '--inspect', '-j', '100', '-y');
    expect(made.code, made.said).toBe(0);
    await using clips = openClips();
    const damaged: string[] = [];
    const first = await reported();
    for (const { id = '', question = '', video = '' } of first) {
      const right = await clips.bytesOf({ kind: 'video', text: question });
      if (!(await readFile(join(out, video))).equals(right)) damaged.push(id);
    }
    const suspects = first.filter(({ suspect }) => suspect !== '').map(({ id = '' }) => id);
    expect(damaged.length).toBeGreaterThan(3);
    expect(suspects).toEqual(damaged);

    await using browser = await launchChromium();
    const [corrected = '', disputed = ''] = damaged;
    const rightText = 'How many legs do three spiders have?';
    const inOrder = await listedFirst(browser, out, damaged.length);
    expect(inOrder.toSorted()).toEqual(damaged.toSorted());
    const anna = await review(browser, out, {
      ids: inOrder,
      key: () => 'b',
      corrected: { [corrected]: rightText },
    });
    const ben = await review(browser, out, { ids: [disputed], key: () => 'g', corrected: {} });
    await writeFile(at('anna.csv'), anna);
    await writeFile(at('ben.csv'), ben);

    const planned = await batch('retry', '--only', '@anna.csv', '--only', '@ben.csv', '--dry-run');
    expect(planned.said).toContain(rightText);
    expect(planned.said).toContain(disputed);
    const merged = await batch('marks', 'merge', 'anna.csv', 'ben.csv', '--to', 'marks.csv');
    expect(merged.code, merged.said).toBe(1);
    const marks = tableOf(await readFile(at('marks.csv'), 'utf8'));
    expect(marks.filter(({ conflict = '' }) => conflict !== '').map(({ id }) => id)).toEqual([disputed]);
    const decided = marks.map((line) => (line.id === disputed ? { ...line, mark: 'bad' } : line));
    await writeFile(at('marks.csv'), stringify(decided, { header: true }));

    const earlier = await readFile(join(out, first.find(({ id }) => id === disputed)?.video ?? ''));
    const again = await batch('retry', '--only', '@marks.csv', ...rehearsal, '-y');
    expect(again.code, again.said).toBe(0);
    const second = await reported();
    expect(second.filter(({ attempts }) => attempts === '2').map(({ id }) => id)).toEqual(damaged);
    expect(second.find(({ id }) => id === corrected)?.question).toBe(rightText);
    expect((await batch('run', 'q.csv', ...rehearsal, '-y')).code).toBe(0);
    expect((await reported()).map(({ attempts }) => attempts)).toEqual(
      second.map(({ attempts }) => attempts),
    );
    const deep = await batch('verify', '--deep', '--json');
    expect(deep.code, deep.said).toBe(0);

    const latest = await readFile(join(out, second.find(({ id }) => id === disputed)?.video ?? ''));
    expect((await batch('prefer', disputed, '--attempt', '1')).code).toBe(0);
    const exportLine = ['export', '--to', 'course', '--name', '{chapter}/{id} {title}'];
    const handed = await batch(...exportLine);
    expect(handed.code, handed.said).toBe(0);
    const manifest = tableOf(await readFile(at('course', 'manifest.csv'), 'utf8'));
    expect(manifest.map(({ id }) => id)).toEqual(rows.map(({ id }) => id));
    const path = manifest.find(({ id }) => id === disputed)?.path ?? '';
    expect(path).toMatch(new RegExp(`^Part \\d/${disputed} `));
    const chosen = await readFile(at('course', path));
    expect([chosen.equals(earlier), chosen.equals(latest)]).toEqual([true, false]);
    const sums = spawnSync('sha256sum', ['--quiet', '-c', 'SHA256SUMS'], { cwd: at('course') });
    expect([sums.status, String(sums.stderr)]).toEqual([0, '']);
    for (const action of ['copy', 'check']) {
      const copied = spawnSync('rclone', [action, at('course'), at('elsewhere')]);
      expect(copied.status, String(copied.stderr)).toBe(0);
    }
  },
);

/** The first rows of the list as a reader finds them. */
async function listedFirst(browser: Browser, out: string, count: number): Promise<string[]> {
  const url = pathToFileURL(join(out, 'report.html')).href;
  const { page } = await openPage(browser, { out, url });
  const links = page.locator('.list a.open');
  const ids = await links.evaluateAll((all) => all.map((link) => link.textContent ?? ''));
  await page.context().close();
  return ids.slice(0, count);
}
