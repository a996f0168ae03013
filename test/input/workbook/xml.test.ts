/** XML as it comes: names without their prefix, entities, and what is not well formed. */

import { expect, it } from 'vitest';
import { readXml } from '../../../src/input/workbook/xml.ts';

/** What a reader is told, in pieces of three bytes. */
async function told(xml: string): Promise<string[]> {
  const events: string[] = [];
  const bytes = Buffer.from(xml);
  async function* pieces(): AsyncGenerator<Uint8Array> {
    for (let at = 0; at < bytes.length; at += 3) yield bytes.subarray(at, at + 3);
  }
  await readXml(pieces(), 'part.xml', {
    open: (name, attributes) => void events.push(`<${name} ${JSON.stringify(attributes)}>`),
    close: (name) => void events.push(`</${name}>`),
    text: (text) => void events.push(text),
  });
  return events;
}

it('tells elements and attributes without their prefix, and texts decoded', async () => {
  const xml =
    '\ufeff<?xml version="1.0"?><x:a r:id="1" id=\'&lt;2&gt;\'><!-- > --><b/>题&amp;&#x9898;<![CDATA[<c>&]]></x:a>\n';
  expect(await told(xml)).toEqual(['<a {":id":"1","id":"<2>"}>', '<b {}>', '</b>', '题&题', '<c>&', '</a>']);
});

it.for([
  ['<a>&constructor;</a>', /refers to something that it does not hold/],
  ['<a>&#0;</a>', /not well formed: malformed character entity/],
  ['<a></b>', /not well formed: unexpected close tag/],
  ['<a b=1></a>', /not well formed: unquoted attribute value/],
  ['<a/><', /not well formed/],
  ['', /ends in the middle/],
] as const)('refuses %j in one line', async ([xml, message]) => {
  const reading = told(xml);
  await expect(reading).rejects.toThrow(message);
  await expect(reading).rejects.toThrow(/^the workbook is damaged: "part\.xml" [^\n]*$/);
});
