/**
 * What the pages that this program writes have in common: one offline file each. Data reaches a page only as text: in islands
 * the browser does not run, shown with `textContent`; no other script or style may run.
 */

import { createHash } from 'node:crypto';
import type { PageAssets } from '../ports.ts';
import type { Language } from '../text/languages.ts';

/** What distinguishes the heads of pages. */
export interface PageHead {
  /** Its content security policy. */
  readonly policy: string;
  /** Until the script sets another one: of this program, never of the data. */
  readonly title: string;
  /** Language of the document until the script has chosen. */
  readonly lang: string;
  /** What is read unless the script runs, which hides it, or where the script fails: then no words can be chosen. */
  readonly failureLine: Readonly<Record<Language, string>>;
  /** Islands that the script reads before all others; absent for none. */
  readonly first?: string;
}

/**
 * What the page may do: run its own scripts and show the files next to it. It sends no requests elsewhere; a live page
 * asks its own server.
 */
export function pagePolicy(assets: PageAssets, live: boolean, fileOrigin: string | null = null): string {
  const files = fileOrigin === null ? '' : ` ${fileOrigin}`;
  return [
    "default-src 'none'",
    `script-src '${hashOf(assets.script)}' '${hashOf(assets.mathScript)}'`,
    `style-src '${hashOf(assets.style)}' '${hashOf(assets.mathStyle)}'`,
    `img-src 'self' file: data:${files}`,
    `media-src 'self' file:${files}`,
    'font-src data:',
    `connect-src ${live ? "'self'" : "'none'"}`,
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ');
}

/** Everything before the data, including the script, which shows the first of it while the browser still reads the rest. */
export function renderHead(assets: PageAssets, head: PageHead): string {
  const { policy, title, lang, failureLine, first = '' } = head;
  return `<!doctype html>
<html lang="${lang}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<link rel="icon" href="data:,">
<title>${title}</title>
<style>${assets.style}</style>
</head>
<body>
<div id="failure-line" class="failure-line" role="alert"><p>${failureLine.en}</p><p lang="zh-CN">${failureLine.zh}</p></div>
<div id="app"></div>
${first}<script>${assets.script}</script>
`;
}

/** Everything after the data. */
export function renderEnd(assets: PageAssets, withMath: boolean): string {
  const math = withMath ? `<style>${assets.mathStyle}</style>\n<script>${assets.mathScript}</script>\n` : '';
  return `${math}</body>\n</html>\n`;
}

/** Without `<`, nothing in the data can end the island or open a comment in it. */
export function renderIsland(attribute: string, data: unknown): string {
  const json = JSON.stringify(data).replace(/[<\u2028\u2029]/g, escapeCharacter);
  return `<script type="application/json" ${attribute}>${json}</script>\n`;
}

function escapeCharacter(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

function hashOf(text: string): string {
  return `sha256-${createHash('sha256').update(text).digest('base64')}`;
}
