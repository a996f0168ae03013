/** What is said of cells of a workbook that cannot be sent, and of what is drawn over them. */

import { both, type Words } from '../both.ts';
import { asPicture } from '../workbook.ts';

interface OfCell {
  /** With the name of the sheet. */
  readonly cell: string;
}

/** What is wrong with what stands in a cell. */
export const cellFlawMessages = {
  'cell.no-header': both(
    () => `a picture stands in a column without a header; ${moveToQuestion.en}`,
    () => `图片在没有列名的列中；${moveToQuestion.zh}`,
  ),
  'cell.other-column': both(
    ({ column }: { readonly column: string }) =>
      `a picture stands in the column ${column}; ${moveToQuestion.en}`,
    ({ column }) => `图片在 ${column} 列中；${moveToQuestion.zh}`,
  ),
  'cell.above': both(
    () =>
      'a drawing begins above the rows and reaches into them; move its upper left corner into the cell of its question, or away from the rows',
    () => '有图形从各行上方开始，延伸到行内；请把它的左上角移到题目的单元格里，或移到各行之外',
  ),
  'cell.joined': both(
    () => 'the formula joins a picture with something else; insert the picture by itself',
    () => '公式把图片和别的内容连在一起；请单独插入图片',
  ),
  'cell.gone': both(
    () => 'the picture is not in the workbook any more; insert it again in WPS',
    () => '图片已不在工作簿中；请在 WPS 中重新插入',
  ),
  'cell.linked': both(
    () => 'the picture is only linked by IMAGE(); insert the picture itself',
    () => '图片只是由 IMAGE() 链接；请插入图片本身',
  ),
  'cell.unknown': both(
    () => 'the cell holds something that is not a picture or text; type its text or insert a picture',
    () => '单元格里既不是图片也不是文字；请输入文字或插入图片',
  ),
  'cell.no-picture': both(
    () => 'the picture is not in the workbook; insert it again',
    () => '图片不在工作簿中；请重新插入',
  ),
  'cell.only-linked': both(
    () => 'the picture is only linked and not in the workbook; insert it into the workbook',
    () => '图片只是链接，不在工作簿中；请插入到工作簿里',
  ),
  'cell.cut-off': both(
    () => 'the picture is cut off; insert it again',
    () => '图片不完整，被截断；请重新插入',
  ),
  'cell.lfs-pointer': both(
    () =>
      'the picture is a Git LFS pointer and not the image itself; fetch that with git lfs pull; insert it again',
    () => '图片是 Git LFS 指针，不是图片本身；请用 git lfs pull 取回；请重新插入',
  ),
  'cell.unreadable': both(
    ({ what }: { readonly what: Words }) => `the picture cannot be read: ${what.en}`,
    ({ what }) => `图片无法读取：${what.zh}`,
  ),
  'cell.emf': both(
    () => 'the picture is an EMF drawing; copy it and paste it as a PNG',
    () => '图片是 EMF 格式；请复制后粘贴为 PNG',
  ),
  'cell.wmf': both(
    () => 'the picture is a WMF drawing; copy it and paste it as a PNG',
    () => '图片是 WMF 格式；请复制后粘贴为 PNG',
  ),
  'cell.format': both(
    () => 'the picture is in a format that cannot be sent; copy it and paste it as a PNG',
    () => '图片的格式无法发送；请复制后粘贴为 PNG',
  ),

  'drawing.group': both(
    () => `a group of drawings cannot be sent; ${asPicture.en}`,
    () => `组合图形无法发送；${asPicture.zh}`,
  ),
  'drawing.chart': both(
    () => `a chart or diagram cannot be sent; ${asPicture.en}`,
    () => `图表无法发送；${asPicture.zh}`,
  ),
  'drawing.shape': both(
    () => `a shape or text box cannot be sent; ${asPicture.en}, or type its text into the cell`,
    () => `形状或文本框无法发送；${asPicture.zh}，或把文字输入单元格`,
  ),
  'drawing.line': both(
    () => `a drawn line cannot be sent; ${asPicture.en}`,
    () => `线条无法发送；${asPicture.zh}`,
  ),
  'drawing.handwriting': both(
    () => `handwriting cannot be sent; ${asPicture.en}`,
    () => `手写内容无法发送；${asPicture.zh}`,
  ),
  'drawing.equation': both(
    () => `an equation cannot be sent; ${asPicture.en}, or type it into the cell`,
    () => `公式对象无法发送；${asPicture.zh}，或在单元格里输入`,
  ),
  'drawing.turned': both(
    () => `a picture that is turned or mirrored cannot be sent as the sheet shows it; ${asPicture.en}`,
    () => `旋转或翻转过的图片无法按表中的样子发送；${asPicture.zh}`,
  ),
  'drawing.note': both(
    () => 'the picture of a note cannot be sent; insert it above the cell of its question',
    () => '批注里的图片无法发送；请把它插入到题目的单元格上',
  ),
  'drawing.legacy': both(
    () => `a picture in the older kind of drawing (VML) cannot be sent; ${asPicture.en}`,
    () => `旧式绘图（VML）里的图片无法发送；${asPicture.zh}`,
  ),
  'drawing.object': both(
    () =>
      `an embedded object, such as an equation, cannot be sent; ${asPicture.en}, or type it into the cell`,
    () => `嵌入对象（例如公式）无法发送；${asPicture.zh}，或在单元格里输入`,
  ),
};

const moveToQuestion = {
  en: 'move its upper left corner into the cell of its question or answer, or choose the column with --map questionImages=COLUMN',
  zh: '请把它的左上角移到题目或答案的单元格里，或用 --map questionImages=列名 指定这一列',
} as const;

export const cellMessages = {
  'cell.at': both(
    ({ cell, what }: OfCell & { /** One of `cellFlawMessages`. */ readonly what: Words }) =>
      `${cell}: ${what.en}`,
    ({ cell, what }) => `${cell}：${what.zh}`,
  ),
  'cell.error': both(
    ({ cell, fault }: OfCell & { readonly fault: string }) =>
      `${cell} shows the error ${fault}; mend the cell`,
    ({ cell, fault }) => `${cell} 显示错误 ${fault}；请改正这个单元格`,
  ),
  'cell.unshown': both(
    ({ cell }: OfCell) =>
      `the number format of ${cell} hides its text; choose another format, or empty the cell`,
    ({ cell }) => `${cell} 的数字格式隐藏了内容；请换一种格式，或清空这个单元格`,
  ),
  'cell.unsaved': both(
    ({ cell }: OfCell) =>
      `${cell} is a formula without a saved result; open and save the workbook in Excel or WPS`,
    ({ cell }) => `${cell} 是没有保存结果的公式；请在 Excel 或 WPS 中打开工作簿并保存`,
  ),
};
