/** Files that LibreOffice saved: what another program really writes. */

import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { openStage } from '../../cli/support/stage.ts';
import { hasLibreOffice, saveAs } from '../../support/libreoffice.ts';
import { smallPng } from '../../support/small-png.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { readBook } from './read-book.ts';

const pictures = [smallPng(200, 0, 0), smallPng(0, 200, 0), smallPng(0, 0, 200)];

const picture = (at: number): string =>
  `<draw:frame svg:width="1cm" svg:height="0.3cm" svg:x="0.1cm" svg:y="0.02cm"><draw:image draw:mime-type="image/png"><office:binary-data>${pictures[at]?.toString('base64')}</office:binary-data></draw:image></draw:frame>`;
const text = (content: string, more = ''): string =>
  `<table:table-cell office:value-type="string"><text:p>${content}</text:p>${more}</table:table-cell>`;
const number = (value: number): string =>
  `<table:table-cell table:style-name="id" office:value-type="float" office:value="${value}"><text:p/></table:table-cell>`;
const empty = (more = ''): string => `<table:table-cell>${more}</table:table-cell>`;
const date =
  '<table:table-cell table:style-name="date" office:value-type="date" office:date-value="2024-06-05"><text:p/></table:table-cell>';
const sum =
  '<table:table-cell table:formula="of:=1+2" office:value-type="float" office:value="3"><text:p>3</text:p></table:table-cell>';
const row = (cells: string, more = ''): string => `<table:table-row ${more}>${cells}</table:table-row>`;
const names = ['office', 'style', 'text', 'table', 'draw:drawing', 'number:datastyle']
  .map((name) => name.split(':'))
  .map(([prefix, name = prefix]) => `xmlns:${prefix}="urn:oasis:names:tc:opendocument:xmlns:${name}:1.0"`)
  .join(' ');

const sheet = `<?xml version="1.0" encoding="UTF-8"?>
<office:document ${names} xmlns:of="urn:oasis:names:tc:opendocument:xmlns:of:1.2" xmlns:svg="urn:oasis:names:tc:opendocument:xmlns:svg-compatible:1.0" office:version="1.3" office:mimetype="application/vnd.oasis.opendocument.spreadsheet">
<office:automatic-styles>
<number:number-style style:name="N3"><number:number number:decimal-places="0" number:min-integer-digits="3"/></number:number-style>
<number:date-style style:name="D1"><number:year number:style="long"/><number:text>年</number:text><number:month/><number:text>月</number:text><number:day/><number:text>日</number:text></number:date-style>
<style:style style:name="id" style:family="table-cell" style:data-style-name="N3"/>
<style:style style:name="date" style:family="table-cell" style:data-style-name="D1"/>
<style:style style:name="raised" style:family="text"><style:text-properties style:text-position="super 58%"/></style:style>
</office:automatic-styles>
<office:body><office:spreadsheet><table:table table:name="题目">
${row('<table:table-cell table:number-columns-spanned="4" office:value-type="string"><text:p>2024届高三</text:p></table:table-cell><table:covered-table-cell table:number-columns-repeated="3"/>')}
${row(text('编号') + text('题目') + text('图片') + text('答案'))}
${row(number(7) + text('f(x)=x<text:span text:style-name="raised">2</text:span>，求最小值') + empty(picture(0)) + date)}
${row(number(8) + text('two</text:p><text:p>lines &amp; more') + empty(picture(1)) + text('a'))}
${row(number(9) + text('three', picture(2)) + empty() + sum)}
${row(number(10) + text('hidden'), 'table:visibility="collapse"')}
</table:table></office:spreadsheet></office:body></office:document>`;

const isHere = await hasLibreOffice();

describe.skipIf(!isHere)('a workbook that LibreOffice saved', () => {
  it('is read as it shows it, with its pictures', async () => {
    await using folder = await temporaryFolder();
    const result = await readBook(await readFile(await saveAs(folder.path, sheet, 'xlsx')));
    expect(result.problems).toEqual([]);
    const digests = pictures.map((bytes) => createHash('sha256').update(bytes).digest('hex'));
    expect(
      result.questions.map(({ id, question, questionImages, answer }) => ({
        id,
        question,
        questionImages,
        answer,
      })),
    ).toEqual([
      {
        id: '007',
        question: 'f(x)=x^2，求最小值',
        questionImages: [{ kind: 'kept', sha256: digests[0] }],
        answer: '2024年6月5日',
      },
      {
        id: '008',
        question: 'two\nlines & more',
        questionImages: [{ kind: 'kept', sha256: digests[1] }],
        answer: 'a',
      },
      { id: '009', question: 'three', questionImages: [{ kind: 'kept', sha256: digests[2] }], answer: '3' },
      { id: '010', question: 'hidden', questionImages: [], answer: '' },
    ]);
    expect(result.found.notes).toEqual(
      expect.arrayContaining(['the header is row 2', '1 hidden row read like the others']),
    );
  });

  it.for([
    ['ods', 'this is an OpenDocument sheet (.ods)'],
    ['xls', 'this is an old Excel workbook (.xls)'],
  ] as const)('is named in one line as .%s', async ([ending, message]) => {
    await using stage = await openStage();
    const file = await saveAs(stage.folder, sheet, ending);
    const { code, stderr } = await stage.batch(['check', file]);
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining(message) });
  });
});
