/** What is said of a workbook, its sheets and its pictures, in Chinese. */

import type { Sentence } from './sentences.ts';

const asPicture = 'replace it with a picture of itself (copy it, then paste it as a picture)';
const asPictureInChinese = '请换成它自己的图片（复制，再粘贴为图片）';
const save = 'open it and save the sheet as an Excel workbook (.xlsx) or as CSV (UTF-8)';
const saveInChinese = '请打开后另存为 Excel 工作簿（.xlsx）或 CSV（UTF-8）';
const word = 'put the questions into a table in Excel or WPS and save that as .xlsx';
const wordInChinese = '请把题目放进 Excel 或 WPS 的表格，存为 .xlsx';

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
  ['the picture cannot be read: {whySaid}', '图片无法读取：{whySaid}'],
  ['the picture is an EMF drawing; copy it and paste it as a PNG', '图片是 EMF 格式；请复制后粘贴为 PNG'],
  ['the picture is a WMF drawing; copy it and paste it as a PNG', '图片是 WMF 格式；请复制后粘贴为 PNG'],
  [
    'the picture is in a format that cannot be sent; copy it and paste it as a PNG',
    '图片的格式无法发送；请复制后粘贴为 PNG',
  ],
  [`a group of drawings cannot be sent; ${asPicture}`, `组合图形无法发送；${asPictureInChinese}`],
  [`a chart or diagram cannot be sent; ${asPicture}`, `图表无法发送；${asPictureInChinese}`],
  [
    `a shape or text box cannot be sent; ${asPicture}, or type its text into the cell`,
    `形状或文本框无法发送；${asPictureInChinese}，或把文字输入单元格`,
  ],
  [`a drawn line cannot be sent; ${asPicture}`, `线条无法发送；${asPictureInChinese}`],
  [`handwriting cannot be sent; ${asPicture}`, `手写内容无法发送；${asPictureInChinese}`],
  [
    `an equation cannot be sent; ${asPicture}, or type it into the cell`,
    `公式对象无法发送；${asPictureInChinese}，或在单元格里输入`,
  ],
  [
    `an embedded object, such as an equation, cannot be sent; ${asPicture}, or type it into the cell`,
    `嵌入对象（例如公式）无法发送；${asPictureInChinese}，或在单元格里输入`,
  ],
];

export const workbookSentences: readonly Sentence[] = [
  ...cellFlaws.map(([english, chinese]): Sentence => [`{place}: ${english}`, `{place}：${chinese}`]),
  ['{place} shows the error {error}; mend the cell', '{place} 显示错误 {error}；请改正这个单元格'],
  [
    '{place} is a formula without a saved result; open and save the workbook in Excel or WPS',
    '{place} 是没有保存结果的公式；请在 Excel 或 WPS 中打开工作簿并保存',
  ],

  ['sheet {sheet}', '工作表 {sheet}'],
  [
    'sheet {sheet}; not read: {othersSaid} (--sheet chooses)',
    '工作表 {sheet}；未读：{othersSaid}（用 --sheet 选择）',
  ],
  [
    'there is no sheet {sheet}; the sheets are {sheetsSaid}',
    '没有工作表 {sheet}；现有的工作表：{sheetsSaid}',
  ],
  ['the workbook is empty', '工作簿是空的'],
  [
    '{sheet} has {count} columns; a table of questions has at most {most}',
    '{sheet} 有 {count} 列；题目表最多 {most} 列',
  ],
  [
    '{count} drawing{s} above the rows ({placesSaid}) not sent',
    '各行上方的 {count} 幅图形（{placesSaid}）不发送',
  ],
  ['{count} hidden row{s} read like the others', '{count} 个隐藏行与其他行同样读取'],
  [
    '{count} merged cell{s}: each counts for its first row and column only',
    '{count} 个合并单元格：只算在第一行第一列',
  ],
  [
    '{count} cell{s} with raised or lowered letters: written as x^2 and H_2O',
    '{count} 个单元格有上下标：写成 x^2 和 H_2O',
  ],
  ['the header is repeated in {placesSaid}: skipped', '标题行在 {placesSaid} 重复：已跳过'],
  [
    '{count} cell{s} without a header not read ({placesSaid})',
    '{count} 个没有列名的单元格不读（{placesSaid}）',
  ],
  [
    'warning: {count} picture{s} over several rows ({placesSaid}): each belongs to the row of its upper left corner',
    '警告：{count} 幅图片跨了几行（{placesSaid}）：归左上角所在的行',
  ],
  [
    'warning: {count} cropped picture{s} ({placesSaid}): sent whole, with the parts that the sheet hides',
    '警告：{count} 幅图片被裁剪过（{placesSaid}）：整幅发送，包括表中隐藏的部分',
  ],
  ['pictures in cells are sent as images of their row', '单元格中的图片作为该行的图片发送'],

  [
    'the workbook is encrypted; open it with its password and save it without one',
    '工作簿已加密；请用密码打开，再存为不加密的',
  ],
  [
    'a picture or drawing of the sheet is anchored to the page and not to a cell; anchor it to the cell of its question',
    '工作表中有图片或图形固定在页面上，而不在单元格上；请固定到题目的单元格',
  ],
  [
    `the sheet has embedded objects, such as equations, without a cell; they cannot be sent; ${asPicture}`,
    `工作表中有不属于任何单元格的嵌入对象（例如公式），无法发送；${asPictureInChinese}`,
  ],
  ['{sheet}: the rows {from} to {to} are empty; delete them', '{sheet}：第 {from} 至 {to} 行是空的；请删除'],
  ['the workbook has no sheet with cells', '工作簿中没有含单元格的工作表'],
  ['a cell has more than 4 million letters', '有单元格超过 400 万个字符'],
  ['it has too many parts', '文件的部件过多'],
  ['it has two parts named {part}', '文件有两个名为 {part} 的部件'],
  ['{part} is packed in an unknown way', '{part} 的压缩方式未知'],
  ['{part} is encrypted; save it without a password', '{part} 已加密；请存为不加密的'],
  [
    '{part} unpacks to more than a workbook can hold; nothing was read',
    '{part} 解压后超过工作簿可能的大小；没有读取任何内容',
  ],
  ['the workbook is damaged: {whySaid}', '工作簿已损坏：{whySaid}'],

  [`this is a binary Excel workbook (.xlsb); ${save}`, `这是二进制 Excel 工作簿（.xlsb）；${saveInChinese}`],
  [`this is an OpenDocument sheet (.ods); ${save}`, `这是 OpenDocument 表格（.ods）；${saveInChinese}`],
  [
    `this is an OpenDocument file and not a workbook; ${word}`,
    `这是 OpenDocument 文件，不是工作簿；${wordInChinese}`,
  ],
  [`this is a Word document (.docx); ${word}`, `这是 Word 文档（.docx）；${wordInChinese}`],
  [`this is a presentation (.pptx); ${word}`, `这是演示文稿（.pptx）；${wordInChinese}`],
  [
    'this is a document of Numbers or Pages; in Numbers, export the sheet as an Excel workbook (.xlsx) or as CSV (UTF-8)',
    '这是 Numbers 或 Pages 文档；请在 Numbers 中导出为 Excel 工作簿（.xlsx）或 CSV（UTF-8）',
  ],
  [
    'this is a ZIP file and not a workbook; unpack it, and give the file with the questions',
    '这是 ZIP 文件，不是工作簿；请解压后给出题目文件',
  ],
];

export const workbookParts: readonly Sentence[] = [
  ['its end is missing; was the download or the copy cut off?', '缺少结尾；下载或复制中断了吗？'],
  ['its list of parts is not whole', '部件列表不完整'],
  ['{part} is not whole', '{part} 不完整'],
  ['{part} is missing', '缺少 {part}'],
  ['the row after row {row} has no valid number', '第 {row} 行之后的一行没有有效的行号'],
  ['a cell of row {row} has no valid place', '第 {row} 行有单元格没有有效的位置'],
  ['{cell} refers to a text that is missing', '{cell} 引用的文字不存在'],
  ['{part} is not text', '{part} 不是文本'],
  ['{part} has a tag that never ends', '{part} 有没有结束的标签'],
  ['{part} ends in the middle', '{part} 在中间结束'],
  ['{part} declares a document type, which workbooks never do', '{part} 声明了文档类型，工作簿从不如此'],
  ['{part} is nested too deeply', '{part} 嵌套过深'],
  ['{part} has a tag that does not match: {tag}', '{part} 有不匹配的标签：{tag}'],
  ['{part} has a & that is not written as &amp;', '{part} 有没有写成 &amp; 的 &'],
  ['{part} refers to something that it does not hold', '{part} 引用了不存在的内容'],
];
