/** What is said of a file of questions, in Chinese: its columns, its text, its format. */

import type { Sentence } from './sentences.ts';

/** One sentence for each number of columns: a name may hold a comma. */
const recognized = [...'abcdefg'].map((_, last, names): Sentence => {
  const shown = names.slice(0, last + 1);
  return [
    `columns recognized: ${shown.map((name) => `{${name}} is {${name}Field}`).join(', ')}`,
    `识别出的列：${shown.map((name) => `{${name}} 是 {${name}Field}`).join('，')}`,
  ];
});

export const fileSentences: readonly Sentence[] = [
  ['sheet row {row}: {whatSaid}', '表格第 {row} 行：{whatSaid}'],
  ['{count} more problems are not listed', '另有 {count} 个问题未列出'],
  ['the file is empty', '文件是空的'],
  [
    'this is a report that batch wrote, not a file of questions; use {file}, or failed.csv for the rows to mend',
    '这是 batch 写出的报告，不是题目文件；请使用 {file}，要改正的行请用 failed.csv',
  ],
  [
    'this is the manifest of an export that batch wrote, not a file of questions; use {file}, or failed.csv for the rows to mend',
    '这是 batch 写出的导出清单，不是题目文件；请使用 {file}，要改正的行请用 failed.csv',
  ],
  [
    'this is a table of marks that batch wrote, not a file of questions; use {file}, or failed.csv for the rows to mend',
    '这是 batch 写出的标记表，不是题目文件；请使用 {file}，要改正的行请用 failed.csv',
  ],
  [
    'this is a list of uncertain rows that batch wrote, not a file of questions; use {file}, or failed.csv for the rows to mend',
    '这是 batch 写出的结果不明的行的列表，不是题目文件；请使用 {file}，要改正的行请用 failed.csv',
  ],
  ['there are no rows below the header', '标题行下面没有内容'],
  [
    'it ends in the middle of a line; if its sender was cut off, the last row is incomplete',
    '输入在一行中间结束；如果发送被中断，最后一行是不完整的',
  ],

  [
    'no column holds the question or its images; no column has a name; name one of them question',
    '没有题目列或题目图片列；所有列都没有列名；请把其中一列命名为 question',
  ],
  [
    'no column holds the question or its images; the columns are {columnsSaid}; choose one with --map question=COLUMN',
    '没有题目列或题目图片列；现有的列：{columnsSaid}；请用 --map question=列名 选择一列',
  ],
  [
    'no column holds the question or its images; the columns are {columnsSaid}; if these are meant, add {maps}',
    '没有题目列或题目图片列；现有的列：{columnsSaid}；如果就是它们，请加上 {maps}',
  ],
  ['this row would then be sent as {sampleSaid}', '这一行将这样发送：{sampleSaid}'],
  ['--map {map}: no such field; the fields are {fields}', '--map {map}：没有这个字段；可用的字段：{fields}'],
  [
    '--map {map}: no such column; the columns are {columnsSaid}',
    '--map {map}：没有这一列；现有的列：{columnsSaid}',
  ],
  [
    'the columns {columnsSaid} all mean {field}; choose one with --map {again}=COLUMN',
    '{columnsSaid} 这几列都表示 {field}；请用 --map {again}=列名 选择一列',
  ],
  [
    'the header {column} appears twice; rename one of the columns',
    '列名 {column} 出现了两次；请改掉其中一个',
  ],
  [
    'the key {key} means {field}, and so does {other} in rows above; choose one with --map {again}=KEY',
    '键 {key} 表示 {field}，而上面各行中的 {other} 也是；请用 --map {again}=键名 选择一个',
  ],
  [
    'the key {key} means {field}, and rows above have images in their HTML; put the key into the first row, with [] in it',
    '键 {key} 表示 {field}，而上面各行的 HTML 中有图片；请在第一行写上这个键，值为 []',
  ],
  ...recognized,
  ['columns not sent: {columnsSaid}', '不发送的列：{columnsSaid}'],
  [
    'it has {count} columns; a table of questions has at most {most}',
    '文件有 {count} 列；题目表最多 {most} 列',
  ],

  ['cells are separated by {delimiterSaid}', '单元格以{delimiterSaid}分隔'],
  ['the header is row {row}', '标题行是第 {row} 行'],
  ['the header is row {row} (line {line})', '标题行是表格第 {row} 行（文件第 {line} 行）'],
  [
    'the header is row {row}; {count} row{s} above it {is} not read',
    '标题行是第 {row} 行；上面 {count} 行不读',
  ],
  [
    'the header is row {row} (line {line}); {count} row{s} above it {is} not read',
    '标题行是表格第 {row} 行（文件第 {line} 行）；上面 {count} 行不读',
  ],
  ['row {row} is empty; choose another --header-row', '第 {row} 行是空的；请另选 --header-row'],
  ['{count} blank row{s} skipped', '跳过 {count} 个空行'],
  ['the header is repeated on {placesSaid}: skipped', '标题行在{placesSaid}重复：已跳过'],
  [
    '{count} row{s} with fewer cells than the header ({placesSaid}): missing cells are read as empty',
    '{count} 行的单元格比标题行少（{placesSaid}）：缺少的按空白处理',
  ],
  [
    "a spreadsheet's leading ' was removed from {count} cell{s}",
    "{count} 个单元格开头的 '（电子表格所加）已去掉",
  ],
  [
    '{count} line{s} with a quote inside a cell without quotes around it ({placesSaid}): taken as it is',
    '{count} 行的单元格内有引号，而两端没有引号（{placesSaid}）：按原样读取',
  ],
  [
    '{count} cell{s} where the header has {columns}; put cells that contain the delimiter in quotes',
    '这一行有 {count} 个单元格，标题行只有 {columns} 个；含有分隔符的单元格请加引号',
  ],
  ['a quote opened here or below is never closed', '从这里或下面开始的引号没有结束'],
  [
    'there is text after the closing quote of a cell{placeSaid}; inside a quoted cell, write each quote twice ("")',
    '单元格的结束引号后面还有文字{placeSaid}；加了引号的单元格里，引号要写两遍（""）',
  ],
  [
    'there is text after the closing quote of a cell; inside a quoted cell, write each quote twice ("")',
    '单元格的结束引号后面还有文字；加了引号的单元格里，引号要写两遍（""）',
  ],
  [
    'there is a quote inside an unquoted cell{placeSaid}; put the cell in quotes and write the inner quote twice ("")',
    '没有加引号的单元格里有引号{placeSaid}；请给单元格加上引号，里面的引号写两遍（""）',
  ],
  [
    'there is a quote inside an unquoted cell; put the cell in quotes and write the inner quote twice ("")',
    '没有加引号的单元格里有引号；请给单元格加上引号，里面的引号写两遍（""）',
  ],
  ['this cannot be read as CSV ({code}){placeSaid}', '无法按 CSV 读取（{code}）{placeSaid}'],
  ['this cannot be read as CSV ({code})', '无法按 CSV 读取（{code}）'],
  [
    'a row starting here is longer than 64 MB; is a quote missing?',
    '从这里开始的一行超过 64 MB；是不是少了引号？',
  ],
  [
    'a line starting here or below is longer than 64 MB; is this a text file?',
    '从这里或下面开始的一行超过 64 MB；这是文本文件吗？',
  ],

  [
    'this is not a JSON object; write one per line, such as {example}',
    '这不是 JSON 对象；请每行写一个，例如 {example}',
  ],
  [
    'this is not valid JSON; each line must be one complete JSON object',
    '这不是有效的 JSON；每行必须是一个完整的 JSON 对象',
  ],
  [
    'this is not valid JSON (at character {place}); each line must be one complete JSON object',
    '这不是有效的 JSON（第 {place} 个字符）；每行必须是一个完整的 JSON 对象',
  ],
  [
    'this is one JSON array; use one object per line instead (jq -c ".[]" converts it)',
    '这是一个 JSON 数组；请改成每行一个对象（jq -c ".[]" 可以转换）',
  ],
  ['this row is nested deeper than {count} levels; make it flat', '这一行嵌套超过 {count} 层；请展开'],
  ['the key {key} appears twice in this row; remove one of them', '键 {key} 在这一行出现了两次；请删掉一个'],

  ['read as {encoding}: {whySaid}', '按 {encoding} 读取：{whySaid}'],
  [
    'this line is not valid {encoding}; save the file as UTF-8, or specify its encoding with --encoding',
    '这一行不是有效的 {encoding}；请把文件存为 UTF-8，或用 --encoding 指明编码',
  ],
  [
    'this line is not valid {encoding}; is --encoding right?',
    '这一行不是有效的 {encoding}；--encoding 对吗？',
  ],
  [
    'this line contains a NUL character (U+0000); is this a text file?',
    '这一行含有 NUL 字符（U+0000）；这是文本文件吗？',
  ],
  ['this is not text but {kindSaid}', '这不是文本，而是{kindSaid}'],

  [
    'the id "{id}" is already used on line {line}, sheet row {row}',
    '编号“{id}”在第 {line} 行（表格第 {row} 行）已经用过',
  ],
  ['the id "{id}" is already used on line {line}', '编号“{id}”在第 {line} 行已经用过'],
  ['the id "{id}" is already used in row {row}', '编号“{id}”在表格第 {row} 行已经用过'],
  [
    'the id "{id}" was given to {whoseSaid}, which has none of its own; use another id',
    '编号“{id}”已分给{whoseSaid}，那一行自己没有编号；请换一个编号',
  ],
  [
    'if {column} only numbers rows, --map id=none ignores it: rows are then known by their text',
    '如果 {column} 只是行的序号，用 --map id=none 忽略它：各行将按内容辨认',
  ],
  [
    '{column} {id} was submitted with another text: is this that row, edited, or a different one?',
    '{column} {id} 曾以另一内容提交：这是改动后的同一行，还是另一行？',
  ],
  ['{count} more of these rows are not listed', '另有 {count} 行未列出'],
  [
    '{whySaid}; nothing was sent. Choose one of: --map {trust} (edited: they keep their results), --rerun-changed (edited: they are paid for again), --map id=none (the column only numbers rows: these are new rows, and are sent){moreSaid}',
    '{whySaid}；没有发送任何内容。请选择一种做法：--map {trust}（改动过：保留结果）、--rerun-changed（改动过：重新付费）、--map id=none（这一列只是序号：算作新行并发送）{moreSaid}',
  ],
  [
    '{whySaid}; nothing was sent. Choose one of: --map {trust} (edited: they keep their results), --rerun-changed (edited: they are paid for again), --map id=none (the column only numbers rows: these are new rows, and are sent)',
    '{whySaid}；没有发送任何内容。请选择一种做法：--map {trust}（改动过：保留结果）、--rerun-changed（改动过：重新付费）、--map id=none（这一列只是序号：算作新行并发送）',
  ],

  [
    'this is a WPS sheet (.et); open it and save the sheet as an Excel workbook (.xlsx) or as CSV (UTF-8)',
    '这是 WPS 表格（.et）；请打开后另存为 Excel 工作簿（.xlsx）或 CSV（UTF-8）',
  ],
  [
    'this is an old Word document; put the questions into a table in Excel or WPS and save that as .xlsx',
    '这是旧版 Word 文档；请把题目放进 Excel 或 WPS 的表格，存为 .xlsx',
  ],
  [
    'this is an old Excel workbook (.xls) or another old Office file; open it and save the sheet as an Excel workbook (.xlsx) or as CSV (UTF-8)',
    '这是旧版 Excel 工作簿（.xls）或其他旧版 Office 文件；请打开后另存为 Excel 工作簿（.xlsx）或 CSV（UTF-8）',
  ],
  [
    'this is no Excel workbook, in spite of its name; is it whole? Otherwise open it and save the sheet as an Excel workbook (.xlsx) or as CSV (UTF-8)',
    '名字像 Excel 工作簿，内容不是；文件完整吗？若完整，请打开后另存为 Excel 工作簿（.xlsx）或 CSV（UTF-8）',
  ],
  [
    'this is no Excel workbook, in spite of its name (programs on the web write pages under the name .xls); open it and save the sheet as an Excel workbook (.xlsx) or as CSV (UTF-8)',
    '名字像 Excel 工作簿，内容不是（网站常把网页存成 .xls）；请打开后另存为 Excel 工作簿（.xlsx）或 CSV（UTF-8）',
  ],
  [
    'this is a PDF; put the questions into a table in Excel or WPS and save that as .xlsx',
    '这是 PDF；请把题目放进 Excel 或 WPS 的表格，存为 .xlsx',
  ],
  [
    'this is no Parquet file, in spite of its name; is it whole?',
    '名字像 Parquet 文件，内容不是；文件完整吗？',
  ],
  [
    'this is no Word document, in spite of its name; put the questions into a table in Excel or WPS and save that as .xlsx',
    '名字像 Word 文档，内容不是；请把题目放进 Excel 或 WPS 的表格，存为 .xlsx',
  ],
  [
    'this is a document of Numbers; there, export the sheet as an Excel workbook (.xlsx) or as CSV (UTF-8)',
    '这是 Numbers 文档；请在 Numbers 中导出为 Excel 工作簿（.xlsx）或 CSV（UTF-8）',
  ],
  ['the Parquet file is damaged or of an unknown kind: {detail}', 'Parquet 文件已损坏或类型未知：{detail}'],
];

/** What stands inside those sentences. */
export const fileParts: readonly Sentence[] = [
  ['{list} and {count} more', '{list} 等，另有 {count} 个'],
  ['line{s} {lines}', '第 {lines} 行'],
  ['line{s} {lines} and {count} more', '第 {lines} 行及另外 {count} 行'],
  ['commas', '逗号'],
  ['semicolons', '分号'],
  ['tabs', '制表符'],
  ['full-width commas (，)', '全角逗号（，）'],
  ['an empty row', '空行'],
  [', in the row that starts at line {line}', '（这一行从第 {line} 行开始）'],
  ['it has no byte order mark, but NUL bytes as in UTF-16', '没有字节顺序标记，但有 UTF-16 那样的 NUL 字节'],
  ['it is not valid UTF-8', '不是有效的 UTF-8'],
  ['a row that has left the file', '已不在文件中的一行'],
  ['the row on line {line}, sheet row {row}', '第 {line} 行（表格第 {row} 行）'],
  ['the row on line {line}', '第 {line} 行'],
  ['row {row}', '表格第 {row} 行'],
  [
    'other rows were renumbered, added or removed, so the ids alone are not conclusive',
    '其他行换过编号，或有增减，仅凭编号无法确定',
  ],
  ['no text is known, so the ids may belong to another file', '内容都对不上，编号可能属于另一个文件'],
  [', another --out (another file)', '、另选 --out（另一个文件）'],
  ['added rows have the ids of existing rows', '新增的行用了已有行的编号'],
  [
    'a ZIP file or an Excel workbook; save the sheet as CSV (UTF-8)',
    ' ZIP 文件或 Excel 工作簿；请存为 CSV（UTF-8）',
  ],
  [
    'an old Excel or Word file; save the sheet as CSV (UTF-8)',
    '旧版 Excel 或 Word 文件；请存为 CSV（UTF-8）',
  ],
  ['a PDF; copy the questions into a CSV file', ' PDF；请把题目复制到 CSV 文件'],
  ['an SQLite database; export the questions as CSV', ' SQLite 数据库；请把题目导出为 CSV'],
  ['a compressed file; unpack it first', '压缩文件；请先解压'],
  ['an image; list it in the images column of a CSV file', '图片；请写进 CSV 文件的图片列'],
  ['a video; give the file with the questions', '视频；请给出题目文件'],
  ['a video or an image; give the file with the questions', '视频或图片；请给出题目文件'],
];
