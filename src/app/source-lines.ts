/** Where the source says what the built program does: a stack names places in chunks, which say little. */

import { readFileSync } from 'node:fs';
import { SourceMap } from 'node:module';

/** The stack, with the places of the source where the program that threw it has maps. */
export function inSource(stack: string): string {
  return stack.replace(
    /(file:\/\/\S+?\.js):(\d+):(\d+)/g,
    (place, url: string, line: string, column: string) => {
      try {
        const map = new SourceMap(JSON.parse(readFileSync(new URL(`${url}.map`), 'utf8')));
        const origin = map.findOrigin(Number(line), Number(column));
        if (!('fileName' in origin)) return place;
        return `${new URL(origin.fileName, url).href}:${origin.lineNumber}:${origin.columnNumber}`;
      } catch {
        return place;
      }
    },
  );
}
