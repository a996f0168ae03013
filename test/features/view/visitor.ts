/** Who looks at the live page: over real sockets, with paths and heads that no browser would send. */

import { once } from 'node:events';
import { request as httpRequest, type IncomingHttpHeaders, type IncomingMessage } from 'node:http';
import { buffer } from 'node:stream/consumers';
import type { PageHeading } from '../../../src/reports/page.ts';
import { type PageRow, unpackRow } from '../../../src/reports/page-wire.ts';
import type { Running } from '../../cli/support/program.ts';
import type { Stage } from '../../cli/support/stage.ts';

export interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

export interface Asking {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

function send(url: string, path: string, { method = 'GET', headers = {} }: Asking): Promise<IncomingMessage> {
  const { hostname, port } = new URL(url);
  const request = httpRequest({ hostname, port, path, method, headers, agent: false });
  request.end();
  return once(request, 'response').then(([response]) => response as IncomingMessage);
}

/** Asks the server of this page for a path, which goes out letter by letter as it is here. */
export async function ask(url: string, path: string, asking: Asking = {}): Promise<Answer> {
  const response = await send(url, path, asking);
  return { status: response.statusCode ?? 0, headers: response.headers, body: await buffer(response) };
}

/** Asks for what lies below the page. */
export function askFor(url: string, name: string, asking: Asking = {}): Promise<Answer> {
  return ask(url, new URL(url).pathname + name, asking);
}

export type LiveEvent =
  | { readonly name: 'rows'; readonly rows: readonly PageRow[] }
  | { readonly name: 'heading'; readonly heading: PageHeading; readonly id: string };

export interface EventLine extends Disposable {
  readonly received: readonly LiveEvent[];
  /** Resolves once what was received satisfies this; rejects when the line is closed before. */
  until(isEnough: (received: readonly LiveEvent[]) => boolean): Promise<void>;
  /** Resolves when the server has closed the line. */
  readonly closed: Promise<void>;
}

/** Follows the run. */
export async function listen(
  url: string,
  since: string,
  headers: Record<string, string> = {},
): Promise<EventLine> {
  const response = await send(url, `${new URL(url).pathname}events${since}`, { headers });
  if (response.statusCode !== 200) throw new Error(`events are answered with ${response.statusCode}`);
  const received: LiveEvent[] = [];
  const watchers = new Set<() => void>();
  let rest = '';
  response.setEncoding('utf8').on('data', (text: string) => {
    const events = (rest + text).split('\n\n');
    rest = events.pop() ?? '';
    received.push(...events.flatMap(parseEvent));
    for (const watch of [...watchers]) watch();
  });
  response.on('error', () => {});
  const closed = new Promise<void>((resolve) => response.on('close', resolve));
  return {
    received,
    closed,
    until: (isEnough) =>
      new Promise((resolve, reject) => {
        const watch = (): void => {
          if (!isEnough(received)) return;
          watchers.delete(watch);
          resolve();
        };
        watchers.add(watch);
        watch();
        void closed.then(() => reject(new Error('the line was closed')));
      }),
    [Symbol.dispose]: () => void response.destroy(),
  };
}

function parseEvent(text: string): LiveEvent[] {
  const fields = new Map(
    text.split('\n').map((line) => {
      const at = line.indexOf(': ');
      return [line.slice(0, at), line.slice(at + 2)] as const;
    }),
  );
  const data = fields.get('data') ?? '';
  if (fields.get('event') === 'rows') return [{ name: 'rows', rows: JSON.parse(data).map(unpackRow) }];
  if (fields.get('event') !== 'heading') return [];
  return [{ name: 'heading', heading: JSON.parse(data), id: fields.get('id') ?? '' }];
}

/** Each row as it was received last, by id. */
export function lastRows(received: readonly LiveEvent[]): ReadonlyMap<string, PageRow> {
  return new Map(
    received.flatMap((event) =>
      event.name === 'rows' ? event.rows.map((row) => [row.id, row] as const) : [],
    ),
  );
}

/** The heading as it was received last. */
export function lastHeading(received: readonly LiveEvent[]): PageHeading | undefined {
  return received.findLast((event) => event.name === 'heading')?.heading;
}

/** Starts `batch view` on the stage's folder and waits until it says where. */
export async function startView(
  stage: Stage,
  ...args: readonly string[]
): Promise<{ readonly url: string; readonly program: Running }> {
  const program = stage.start(['view', ...args]);
  const [, url = ''] = await program.said(/^Showing .*: (http:\S+)$/m);
  return { url, program };
}
