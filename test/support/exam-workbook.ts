/** A workbook of Chinese exam questions, with pictures of all three kinds in its cells, each another one. */

import { anchor, dispimg, pictures, placedPicture, type TestCell, workbook } from './workbook.ts';

/** One row as it stands in the workbook. */
export interface ExamRow {
  readonly id: string;
  readonly question: string;
  readonly answer: string;
  readonly chapter: string;
  /** The bytes of its pictures, in the order of the columns. */
  readonly questionImages: readonly Buffer[];
  readonly answerImages: readonly Buffer[];
}

type Kind = 'wps' | 'floating' | 'placed';

const kinds: readonly Kind[] = ['wps', 'floating', 'placed'];
const chapters = ['函数', '立体几何', '数列'] as const;
const title = '2026届高三数学期末试题库';
const columns = ['题号', '题目', '图片', '参考答案', '答案图片', '章节'] as const;

/** Every tenth question has the same text: only its picture tells what is asked. */
function questionOf(number: number): string {
  return number % 10 === 0
    ? '如图，求阴影部分的面积。'
    : `如图，第 ${number} 题：已知函数 $f(x)=x^2-${number}x+${number % 7}$，求它在区间 $[0,${number}]$ 上的最小值，并说明理由。`;
}

/** A workbook with so many rows below a title and a header. Pictures have about `pictureBytes` each. */
export function examWorkbook(
  rowCount: number,
  pictureBytes: number,
): { readonly bytes: Buffer; readonly rows: readonly ExamRow[] } {
  const media: { name: string; bytes: Buffer }[] = [];
  const cellImages: string[] = [];
  const placed: number[] = [];
  const anchors: string[] = [];
  /** Puts one more picture into the workbook; null where it floats above its cell. */
  const put = (kind: Kind, row: number, column: number): { cell: TestCell; bytes: Buffer } => {
    const number = media.length + 1;
    const bytes = pictures.other(`${number};`.repeat(Math.ceil(pictureBytes / `${number};`.length)));
    media.push({ name: `image${number}.png`, bytes });
    cellImages.push(`ID_${number}`);
    if (kind === 'floating') anchors.push(anchor(number, { row, column }));
    if (kind === 'placed') placed.push(number);
    const cell =
      kind === 'wps' ? dispimg(`ID_${number}`) : kind === 'placed' ? placedPicture(placed.length) : null;
    return { cell, bytes };
  };
  const rows: ExamRow[] = [];
  const cells: TestCell[][] = [];
  for (let number = 1; number <= rowCount; number += 1) {
    // The title and the header are above.
    const line = number + 1;
    const kind = (shift: number): Kind => kinds[(number + shift) % kinds.length] ?? 'wps';
    const first = put(kind(0), line, 2);
    // Some have a second picture, which floats above the text of the question.
    const above = number % 4 === 0 ? put('floating', line, 1) : null;
    const ofAnswer = number % 3 === 0 ? put(kind(1), line, 4) : null;
    const row = {
      id: String(1_000 + number),
      question: questionOf(number),
      answer: `$${number}$`,
      chapter: chapters[number % chapters.length] ?? '',
    };
    rows.push({
      ...row,
      questionImages: [...(above === null ? [] : [above.bytes]), first.bytes],
      answerImages: ofAnswer === null ? [] : [ofAnswer.bytes],
    });
    cells.push([row.id, row.question, first.cell, row.answer, ofAnswer?.cell ?? null, row.chapter]);
  }
  const sheet = { name: '试题', rows: [[title], [...columns], ...cells], anchors };
  return { bytes: workbook({ media, cellImages, placed, sheets: [sheet] }), rows };
}
