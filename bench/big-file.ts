/** Large input files as people have them: Chinese and English, LaTeX, quoted line breaks, some rows without an id. */

import { closeSync, existsSync, openSync, renameSync, writeSync } from 'node:fs';
import { join } from 'node:path';

const stems = [
  '已知函数 $f(x)=\\frac{x^2+%n}{x}$，求它在区间 $[1,%n]$ 上的最大值与最小值，\n并说明理由。',
  '甲、乙两地相距 %n 千米，一辆汽车从甲地开往乙地，每小时行 60 千米，几小时到达？请写出完整的解题过程。',
  'A train travels %n km in 3 hours. How long does it take for %n km at the same speed, "stops" included?',
  'Solve $x^2 - %nx + 6 = 0$ and check both roots.\nThen say which of them is larger than 1, and why.',
  '如图，在三角形 ABC 中，角 C 为直角，AC = %n，BC = 12，求 AB 的长以及斜边上的高。',
];
const answers = [
  '最大值为 $\\frac{%n}{2}$，最小值为 1。',
  '%n 小时',
  'It takes %n hours, 20 minutes.',
  '$x_1 = 2$, $x_2 = %n$',
  '13',
];
const tail =
  '（本题考查基础知识与运算能力，解答应写出文字说明、证明过程或演算步骤。本小题满分 12 分，第一问 5 分，第二问 7 分，只写结果不给分。）';

/** The row with this number, from 1. Half of them are longer, so that a million rows are about 300 MB. */
export function bigRow(number: number): {
  id: string;
  question: string;
  answer: string;
  quality: string;
  chapter: string;
} {
  const fill = (text: string | undefined): string => (text ?? '').replaceAll('%n', String(number));
  return {
    id: number % 10 === 0 ? '' : `q-${number}`,
    question: fill(stems[number % stems.length]) + (number % 4 !== 0 ? tail : ''),
    answer: fill(answers[number % answers.length]),
    quality: number % 7 === 0 ? 'h' : '',
    chapter: `chapter ${number % 40}`,
  };
}

const quoted = (text: string): string => (/[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);

const renderers = {
  csv: (row: ReturnType<typeof bigRow>) => `${Object.values(row).map(quoted).join(',')}\n`,
  jsonl: (row: ReturnType<typeof bigRow>) => `${JSON.stringify(row)}\n`,
};

/** Path of a file of `rows` rows in `folder`, made when it is not there yet. In an edited one each question is another. */
export function bigFile(folder: string, rows: number, format: 'csv' | 'jsonl', isEdited = false): string {
  const path = join(folder, `${isEdited ? 'edited' : 'questions'}-${rows}.${format}`);
  if (existsSync(path)) return path;
  const file = openSync(`${path}.part`, 'w');
  let text = format === 'csv' ? 'id,question,answer,quality,chapter\n' : '';
  for (let number = 1; number <= rows; number += 1) {
    const row = bigRow(number);
    text += renderers[format](isEdited ? { ...row, question: `${row.question} (edited)` } : row);
    if (text.length < 1 << 20 && number < rows) continue;
    writeSync(file, text);
    text = '';
  }
  closeSync(file);
  renameSync(`${path}.part`, path);
  return path;
}
