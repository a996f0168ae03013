import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Running } from '../../cli/support/program.ts';
import { completed, inProgress } from '../../cli/support/scripted-service.ts';
import { openStage, questions, runLine, type Stage } from '../../cli/support/stage.ts';
import { chromiumPath, launchChromium } from '../../support/chromium.ts';
import { startView } from './visitor.ts';

describe.skipIf(chromiumPath === null)('in Chromium, the live page', () => {
  let browser: Browser;
  let stage: Stage;
  let run: Running;
  let page: Page;
  const troubles: string[] = [];

  beforeAll(async () => {
    stage = await openStage({ status: (task) => inProgress(task) });
    await stage.write('q.csv', questions('a', 'b', 'c'));
    run = stage.start(runLine('q.csv'));
    await stage.service.until(({ events }) => events.includes('status Question c'));
    const { url } = await startView(stage);
    browser = await launchChromium();
    page = await browser.newPage();
    page.on('pageerror', (error) => void troubles.push(`error ${error.message}`));
    page.on('console', (message) => void troubles.push(`${message.type()} ${message.text()}`));
    page.on('request', (request) => {
      if (!/^(http:\/\/127\.0\.0\.1:|data:)/.test(request.url())) troubles.push(`request ${request.url()}`);
    });
    await page.goto(url);
  });

  const rowOf = (id: string, status: string) => page.locator(`tr.${status}:has([data-id="${id}"])`);

  afterAll(async () => {
    await browser?.close();
    await stage?.[Symbol.asyncDispose]();
  });

  it('shows how a row goes from open to completed, without being loaded again', async () => {
    await page.evaluate(() => Object.assign(globalThis, { isTheSamePage: true }));
    await rowOf('a', 'open').waitFor();
    stage.service.follow({
      status: (task) => (task.question === 'Question c' ? inProgress(task) : completed(task)),
    });
    await rowOf('a', 'completed').waitFor();
    expect(await page.evaluate(() => 'isTheSamePage' in globalThis)).toBe(true);
  });

  it('plays its videos in place, and they seek', async () => {
    const seen = await page.evaluate<{ duration: number; isThere: boolean; error: unknown }>(`(async () => {
      const video = document.createElement('video');
      const once = (name) => new Promise((resolve) => video.addEventListener(name, resolve, { once: true }));
      const [loaded, seeked] = [once('loadeddata'), once('seeked')];
      video.muted = true;
      video.src = 'a/video.webm';
      document.body.append(video);
      await loaded;
      const half = video.duration / 2;
      video.currentTime = half;
      await seeked;
      const { duration, currentTime, error } = video;
      video.remove();
      return { duration, isThere: Math.abs(currentTime - half) < 0.1, error };
    })()`);
    expect(seen).toMatchObject({ isThere: true, error: null });
    expect(seen.duration).toBeGreaterThan(0);
  });

  it('receives nothing while nobody sees it, and catches up when it is seen again', async () => {
    const turn = (isHidden: boolean) =>
      page.evaluate(`
        Object.defineProperty(document, 'hidden', { value: ${isHidden}, configurable: true });
        document.dispatchEvent(new Event('visibilitychange'));`);
    await rowOf('c', 'open').waitFor();
    await turn(true);
    stage.service.follow({});
    expect((await run.ended).code).toBe(0);
    expect(await rowOf('c', 'open').count()).toBe(1);
    await turn(false);
    await rowOf('c', 'completed').waitFor();
  });

  it('loads itself again where its rows are those of an edited file, but not while a video plays', async () => {
    const isTheSamePage = () => page.evaluate(() => 'isTheSamePage' in globalThis);
    const video = `document.querySelector('dialog video')`;
    await page.locator('[data-id="b"]').click();
    await page.evaluate(`Object.assign(${video}, { loop: true, muted: true }).play()`);
    await stage.write('q.csv', questions('c', 'b', 'a', 'd'));
    expect((await stage.batch(runLine('q.csv'))).code).toBe(0);
    await rowOf('d', 'completed').waitFor({ state: 'attached' });
    expect(await isTheSamePage()).toBe(true);
    await Promise.all([page.waitForEvent('load'), page.evaluate(`${video}.pause()`)]);
    expect(await isTheSamePage()).toBe(false);
    expect(new URL(page.url()).hash).toBe('#row=b');
    await page.locator('dialog[open] video').waitFor();
    expect(
      await page.locator('tr [data-id]').evaluateAll((links) => links.map((link) => link.textContent)),
    ).toEqual(['c', 'b', 'a', 'd']);
  });

  it('says nothing in the console, and asks nobody but its own server', () => {
    expect(troubles).toEqual([]);
  });
});
