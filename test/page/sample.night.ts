/** A sample is drawn, watched with the keys, and says what it means for the others. */

import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { WatchSample } from '../../src/money/review/watch-sample.ts';
import { artifactOf, attemptOf, rowOf, submittedAt } from '../reports/report-rows.ts';
import { chromiumPath, launchChromium } from '../support/chromium.ts';
import { type MadePage, makeLivePage, makePage } from './support/made-page.ts';
import { listedIds, openPage } from './support/report.ts';

const videoRow = (n: number, part: Parameters<typeof rowOf>[1] = {}) => {
  const id = `q-${n}`;
  return rowOf(
    { key: n, row: n, id, folder: id, artifacts: [artifactOf({ path: `${id}/video.webm` })] },
    { input: { id, question: `What is ${n} + 1?` }, ...part },
  );
};
const suspect = { inspection: { container: null, playback: null, findings: [{ code: 'cut-off' }] } } as const;
const rows = [
  ...Array.from({ length: 120 }, (_, at) => videoRow(at + 1)),
  videoRow(121, suspect),
  rowOf({ key: 122, row: 122, id: 'q-122', status: 'failed', artifacts: [], points: 0 }),
];

/** A machine that does much else takes its time. */
const slow = { timeout: 300_000 };
const until = <T>(read: () => T) => expect.poll(read);

const panelOf = (page: Page) => page.locator('section.sample');
const said = (page: Page) => panelOf(page).locator('.sample-said').textContent();

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

/** A page with `--review`, whose server answers `PUT sample` with these, one after the other. */
async function openReviewed(sample: WatchSample | undefined, answers: readonly number[]) {
  const live = await makeLivePage(rows, { review: true, reviewer: 'Anna', sample });
  const page = await (await browser.newContext()).newPage();
  await page.addInitScript((answers) => {
    const left = [...answers];
    const puts: unknown[] = [];
    Object.assign(globalThis, {
      puts,
      fetch: async (address: string, { body }: { body: string }) => {
        if (address !== 'sample') return new Response(null, { status: 204 });
        puts.push(JSON.parse(body));
        return new Response(null, { status: left.shift() ?? 500 });
      },
    });
  }, answers);
  await page.goto(`${live.url}#sample=yes`);
  await page.locator('#rows tr').first().waitFor();
  const puts = () =>
    page.evaluate(
      () => (globalThis as unknown as { puts: { sample: WatchSample; instead: number | null }[] }).puts,
    );
  return { page, puts, [Symbol.asyncDispose]: () => live[Symbol.asyncDispose]() };
}

describe.skipIf(chromiumPath === null)('a sample in report.html (needs Chromium)', slow, () => {
  it('is the same for all who have the page, is watched with the keys in the order drawn, and says how it stands', async () => {
    const { page, troubles } = await openPage(browser, made);
    expect(await panelOf(page).isVisible()).toBe(false);
    await page.locator('#sample').click();
    await until(() => page.url()).toContain('sample=yes');
    const ids = await listedIds(page);
    const size = ids.length;
    expect(ids.filter((id) => ['q-121', 'q-122'].includes(id))).toEqual([]);
    expect(ids).not.toEqual(ids.toSorted((a, b) => Number(a.slice(2)) - Number(b.slice(2))));
    expect(await said(page)).toBe(
      `Watch these ${size} videos, drawn at random: if all of them are good, at most 2 % of all 120 are bad, with 95 % confidence`,
    );
    const { page: another } = await openPage(browser, made, { hash: '#sample=yes', locale: 'zh-CN' });
    expect(await listedIds(another)).toEqual(ids);
    expect(await said(another)).toContain(`请看随机抽出的这 ${size} 个视频`);

    await panelOf(page).getByRole('link', { name: 'Start watching' }).click();
    const detail = page.locator('dialog.detail');
    for (const [at, key] of ['g', 'b', 'g'].entries()) {
      await until(() => detail.locator('#detail-id').textContent()).toBe(ids[at]);
      await page.keyboard.press(key);
      await page.keyboard.press('j');
    }
    await until(() => detail.locator('.sample-line').textContent()).toMatch(
      /^3 of 120 watched, drawn at random: 1 bad; with 95 % confidence at most \d+ of the other 117 are \([\d.]+ % of all\)$/,
    );
    expect(await detail.locator('.place-in-list').textContent()).toBe(`4 of ${size}`);
    await page.keyboard.press('j');
    await page.keyboard.press('g');
    await page.keyboard.press('Escape');
    await until(() => said(page)).toMatch(/^3 of 120 watched/);
    expect(await panelOf(page).locator('.sample-notes li').first().textContent()).toBe(
      `Videos count in the order drawn: ${ids[3]} has no verdict yet.`,
    );
    await page.keyboard.press('Escape');
    await panelOf(page).getByRole('link', { name: 'Watch the next one' }).click();
    await until(() => detail.locator('#detail-id').textContent()).toBe(ids[3]);
    await page.keyboard.press('g');
    await page.keyboard.press('Escape');
    await until(() => said(page)).toMatch(/^5 of 120 watched, drawn at random: 1 bad/);

    await page.reload();
    await until(() => said(page)).toMatch(/^5 of 120 watched/);
    expect(await listedIds(page)).toEqual(ids);
    expect(troubles).toEqual([]);
  });

  it('grows where a bad one was seen, is filtered like all rows, and leads to the suspects, which are no part of it', async () => {
    const { page, troubles } = await openPage(browser, made, { hash: '#sample=yes' });
    const before = await listedIds(page);
    await page.locator('#rows a.open').first().focus();
    await page.keyboard.press('b');
    const more = panelOf(page).getByRole('button', { name: /^Draw \d+ more$/ });
    await more.click();
    await until(async () => (await listedIds(page)).slice(0, before.length)).toEqual(before);
    await until(async () => (await listedIds(page)).length).toBeGreaterThan(before.length);
    expect(await more.isVisible()).toBe(false);
    await page.locator('#mark').selectOption('bad');
    await until(() => listedIds(page)).toEqual(before.slice(0, 1));
    expect(await page.locator('#sort').isVisible()).toBe(false);
    expect(await panelOf(page).locator('.sample-notes li').last().textContent()).toBe(
      'With a reason to look, watched all, apart: 1. Show them',
    );
    await panelOf(page).getByRole('button', { name: 'Show them' }).click();
    await page.locator('#mark').selectOption('');
    await until(() => listedIds(page)).toEqual(['q-121']);
    expect(await panelOf(page).isVisible()).toBe(false);
    expect(page.url()).not.toContain('sample');
    expect(troubles).toEqual([]);
  });

  it('has a row that was passed by in a link', async () => {
    const { page } = await openPage(browser, made, { hash: '#row=q-121&sample=yes' });
    await until(() => page.locator('#detail-id').textContent()).toBe('q-121');
    await page.keyboard.press('Escape');
    expect(await panelOf(page).isVisible()).toBe(true);
  });

  it('is the one that was saved with the run, where there is one', async () => {
    const sample = { seed: 4, at: submittedAt + 1, population: 120, size: 3, keys: [9, 3, 7, 5] };
    await using page = await makePage(rows, { sample });
    const { page: opened } = await openPage(browser, page, { hash: '#sample=yes' });
    expect(await listedIds(opened)).toEqual(['q-9', 'q-3', 'q-7']);
    expect(await panelOf(opened).locator('.sample-notes').textContent()).toContain(
      'from the 120 videos there were then',
    );
  });

  it('has rows that were made again since, which are watched again', async () => {
    const earlier = artifactOf({ kind: 'earlier-video', ordinal: 1, path: 'q-9/attempt-1/video.webm' });
    const again = rowOf(
      {
        ...{ key: 9, row: 9, id: 'q-9', folder: 'q-9', attempt: 2, submittedAt: submittedAt + 1_000 },
        artifacts: [earlier, artifactOf({ path: 'q-9/video.webm' })],
      },
      { attempts: [1, 2].map((attempt) => attemptOf({ attempt })) },
    );
    const others = rows.filter(({ item }) => item.key !== 9);
    const sample = { seed: 4, at: submittedAt + 1, population: 120, size: 3, keys: [3, 9, 7, 5] };
    await using page = await makePage([...others, again], { sample });
    const { page: opened } = await openPage(browser, page, { hash: '#row=q-9&sample=yes' });
    const note = () => panelOf(opened).locator('.sample-notes li', { hasText: 'made again' }).textContent();
    const detail = opened.locator('dialog.detail');
    await until(() => detail.locator('.attempts [aria-pressed=true]').textContent()).toBe('★ 2');
    await opened.keyboard.press('s');
    await opened.keyboard.press('g');
    await opened.keyboard.press('k');
    await until(() => detail.locator('#detail-id').textContent()).toBe('q-3');
    await opened.keyboard.press('g');
    await until(note).toBe(
      '1 of them was made again since: what was said before still speaks for the others; watch 1 again.',
    );
    expect(await said(opened)).toMatch(/^1 of 120 watched, drawn at random: 0 bad/);
  });

  it('has no button where there is no video', async () => {
    await using none = await makePage(rows.slice(-1));
    const { page } = await openPage(browser, none);
    expect(await page.locator('#sample').isVisible()).toBe(false);
    await page.goto(`${none.url}#sample=yes`);
    await until(() => said(page)).toBe('No row has a video yet that could be drawn.');
  });
});

describe.skipIf(chromiumPath === null)('a sample that reviewers share (needs Chromium)', slow, () => {
  it('is drawn when somebody asks, saved, and drawn anew when that is confirmed', async () => {
    await using reviewed = await openReviewed(undefined, [204, 204]);
    const { page, puts } = reviewed;
    const button = (name: string) => panelOf(page).getByRole('button', { name });
    expect(await listedIds(page)).toHaveLength(100);
    expect(await said(page)).toContain('the same for all reviewers');
    await button('Draw videos').click();
    await until(() => said(page)).toContain('Watch these');
    const [first] = await puts();
    expect(first).toMatchObject({ sample: { population: 120 }, instead: null });
    const ids = first?.sample.keys.slice(0, first.sample.size).map((key) => `q-${key}`) ?? [];
    expect(await listedIds(page)).toEqual(ids);

    await button('Draw anew …').click();
    await button('Keep these').click();
    await button('Draw anew …').click();
    await button('Draw anew').click();
    await until(async () => (await puts()).length).toBe(2);
    expect((await puts())[1]?.instead).toBe(first?.sample.at);
    await until(() => listedIds(page)).not.toEqual(ids);
    expect(await button('Draw anew').isVisible()).toBe(true);
  });

  it('is not shown before it is saved, and it is said why', async () => {
    const sample = { seed: 4, at: submittedAt + 1, population: 120, size: 3, keys: [9, 3, 7, 5] };
    await using reviewed = await openReviewed(sample, [412, 500]);
    const { page, puts } = reviewed;
    for (const trouble of [
      'Somebody else drew videos meanwhile: those are shown.',
      'Not saved. Try again.',
    ]) {
      await panelOf(page).getByRole('button', { name: 'Draw anew …' }).click();
      await panelOf(page).getByRole('button', { name: 'Draw anew', exact: true }).click();
      await until(() => panelOf(page).locator('.sample-trouble').textContent()).toBe(trouble);
    }
    expect((await puts()).map(({ instead }) => instead)).toEqual([sample.at, sample.at]);
    expect(await listedIds(page)).toEqual(['q-9', 'q-3', 'q-7']);
  });
});
