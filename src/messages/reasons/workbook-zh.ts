/** What is said of cells of a workbook that cannot be sent, in Chinese: it is saved with their rows as English text. */

import { asPicture, workbookMessages } from '../workbook.ts';
import type { Sentence } from './sentences.ts';

/** What is wrong with what stands in a cell; its place precedes it. */
const cellFlaws: readonly Sentence[] = [
  [
    'a picture stands in a column without a header; move its upper left corner into the cell of its question or answer, or choose the column with --map questionImages=COLUMN',
    '图片在没有列名的列中；请把它的左上角移到题目或答案的单元格里，或用 --map questionImages=列名 指定这一列',
  ],
  [
    'a picture stands in the column {column}; move its upper left corner into the cell of its question or answer, or choose the column with --map questionImages=COLUMN',
    '图片在 {column} 列中；请把它的左上角移到题目或答案的单元格里，或用 --map questionImages=列名 指定这一列',
  ],
  [
    'a drawing begins above the rows and reaches into them; move its upper left corner into the cell of its question, or away from the rows',
    '有图形从各行上方开始，延伸到行内；请把它的左上角移到题目的单元格里，或移到各行之外',
  ],
  [
    'the formula joins a picture with something else; insert the picture by itself',
    '公式把图片和别的内容连在一起；请单独插入图片',
  ],
  [
    'the picture is not in the workbook any more; insert it again in WPS',
    '图片已不在工作簿中；请在 WPS 中重新插入',
  ],
  [
    'the picture is only linked by IMAGE(); insert the picture itself',
    '图片只是由 IMAGE() 链接；请插入图片本身',
  ],
  [
    'the cell holds something that is not a picture or text; type its text or insert a picture',
    '单元格里既不是图片也不是文字；请输入文字或插入图片',
  ],
  ['the picture is not in the workbook; insert it again', '图片不在工作簿中；请重新插入'],
  [
    'the picture is only linked and not in the workbook; insert it into the workbook',
    '图片只是链接，不在工作簿中；请插入到工作簿里',
  ],
  ['the picture is cut off; insert it again', '图片不完整，被截断；请重新插入'],
  ['the picture cannot be read: {whySaid}', '图片无法读取：{whySaid}'],
  ['the picture is an EMF drawing; copy it and paste it as a PNG', '图片是 EMF 格式；请复制后粘贴为 PNG'],
  ['the picture is a WMF drawing; copy it and paste it as a PNG', '图片是 WMF 格式；请复制后粘贴为 PNG'],
  [
    'the picture is in a format that cannot be sent; copy it and paste it as a PNG',
    '图片的格式无法发送；请复制后粘贴为 PNG',
  ],
  [`a group of drawings cannot be sent; ${asPicture.en}`, `组合图形无法发送；${asPicture.zh}`],
  [`a chart or diagram cannot be sent; ${asPicture.en}`, `图表无法发送；${asPicture.zh}`],
  [
    `a shape or text box cannot be sent; ${asPicture.en}, or type its text into the cell`,
    `形状或文本框无法发送；${asPicture.zh}，或把文字输入单元格`,
  ],
  [`a drawn line cannot be sent; ${asPicture.en}`, `线条无法发送；${asPicture.zh}`],
  [`handwriting cannot be sent; ${asPicture.en}`, `手写内容无法发送；${asPicture.zh}`],
  [
    `an equation cannot be sent; ${asPicture.en}, or type it into the cell`,
    `公式对象无法发送；${asPicture.zh}，或在单元格里输入`,
  ],
  [
    `an embedded object, such as an equation, cannot be sent; ${asPicture.en}, or type it into the cell`,
    `嵌入对象（例如公式）无法发送；${asPicture.zh}，或在单元格里输入`,
  ],
];

export const workbookSentences: readonly Sentence[] = [
  ...cellFlaws.map(([english, chinese]): Sentence => [`{place}: ${english}`, `{place}：${chinese}`]),
  ['{place} shows the error {error}; mend the cell', '{place} 显示错误 {error}；请改正这个单元格'],
  [
    '{place} is a formula without a saved result; open and save the workbook in Excel or WPS',
    '{place} 是没有保存结果的公式；请在 Excel 或 WPS 中打开工作簿并保存',
  ],
];

/** Why a picture cannot be read; the same is said of a whole workbook. */
const { 'damaged.part': damaged, 'package.encrypted': encrypted, 'package.bomb': bomb } = workbookMessages;
const part = '{part}';

export const workbookParts: readonly Sentence[] = [
  [damaged.en({ part, flaw: 'not-whole' }), damaged.zh({ part, flaw: 'not-whole' })],
  [encrypted.en({ part }), encrypted.zh({ part })],
  [bomb.en({ part }), bomb.zh({ part })],
];
