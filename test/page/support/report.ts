/** A run of the embedded service and its `report.html`, opened from the disk as a reader opens it. */

import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Browser, BrowserContextOptions, Download, Page } from 'playwright-core';
import { type Ending, type Running, startProgram } from '../../cli/support/program.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

/** A run that has ended, in a working folder of its own. */
export interface Report extends AsyncDisposable {
  /** The output folder, absolute. */
  readonly out: string;
  /** Address of `report.html`. */
  readonly url: string;
  /** `batch ARGS` in the working folder. */
  batch(...args: readonly string[]): Promise<Ending>;
  /** The same, without waiting for its end. */
  start(...args: readonly string[]): Running;
  /** Writes a file into the working folder. */
  write(name: string, content: string): Promise<void>;
}

/** Runs the rows of `file` (text of a CSV file) with the embedded service. */
export async function makeReport(file: string, ...options: readonly string[]): Promise<Report> {
  const folder = await temporaryFolder();
  const start = (...args: readonly string[]): Running => startProgram(args, { cwd: folder.path });
  const batch = (...args: readonly string[]): Promise<Ending> => start(...args).ended;
  const write = (name: string, content: string) => writeFile(join(folder.path, name), content);
  await write('q.csv', file);
  const ending = await batch('run', 'q.csv', '--simulate', '--duration', '300ms', '--yes', ...options);
  if ((ending.code ?? 99) > 1) throw new Error(ending.stderr);
  const out = join(folder.path, 'videos');
  const url = pathToFileURL(join(out, 'report.html')).href;
  return { out, url, batch, start, write, [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose]() };
}

/** A page and everything it did that no page of ours does. */
export interface WatchedPage {
  readonly page: Page;
  /** Errors, lines in the console, and requests beyond the output folder. */
  readonly troubles: readonly string[];
  /** Another tab of the same reader. */
  another(): Promise<WatchedPage>;
}

/** Opens the report as a reader who was never here. */
export async function openPage(
  browser: Browser,
  report: Pick<Report, 'out' | 'url'>,
  { hash = '', ...options }: BrowserContextOptions & { readonly hash?: string } = {},
): Promise<WatchedPage> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, ...options });
  const troubles: string[] = [];
  const folder = pathToFileURL(`${report.out}/`).href;
  const open = async (): Promise<WatchedPage> => {
    const page = await context.newPage();
    page.setDefaultTimeout(60_000);
    page.on('console', (message) => void troubles.push(`${message.type()} ${message.text()}`));
    page.on('pageerror', (error) => void troubles.push(`error ${error.message}`));
    page.on('request', (request) => {
      if (!/^(data|blob):/.test(request.url()) && !request.url().startsWith(folder))
        troubles.push(`request ${request.url()}`);
    });
    await page.goto(report.url + hash);
    await page.locator('#rows tr, .gallery li').first().waitFor();
    return { page, troubles, another: open };
  };
  return open();
}

/** The file that the open menu of marks exports. */
export async function exportMarks(page: Page): Promise<Download> {
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.locator('#export-marks').click(),
  ]);
  return download;
}

/** Ids of the rows in the list, in the order they stand in. */
export function listedIds(page: Page): Promise<string[]> {
  return page.locator('.list a.open').evaluateAll((links) => links.map((link) => link.textContent ?? ''));
}
