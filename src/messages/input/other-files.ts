/** What is said of a file that cannot be read as a table. */

import { both } from '../both.ts';

const save = {
  en: 'open it and save the sheet as an Excel workbook (.xlsx) or as CSV (UTF-8)',
  zh: '请打开后另存为 Excel 工作簿（.xlsx）或 CSV（UTF-8）',
} as const;

const rewrite = {
  en: 'put the questions into a table in Excel or WPS and save that as .xlsx',
  zh: '请把题目放进 Excel 或 WPS 的表格，存为 .xlsx',
} as const;

/** What a file is that cannot be read as a table, and what to do. */
const others = {
  et: { en: `this is a WPS sheet (.et); ${save.en}`, zh: `这是 WPS 表格（.et）；${save.zh}` },
  doc: { en: `this is an old Word document; ${rewrite.en}`, zh: `这是旧版 Word 文档；${rewrite.zh}` },
  office: {
    en: `this is an old Excel workbook (.xls) or another old Office file; ${save.en}`,
    zh: `这是旧版 Excel 工作簿（.xls）或其他旧版 Office 文件；${save.zh}`,
  },
  encrypted: {
    en: 'the workbook is encrypted; open it with its password and save it without one',
    zh: '工作簿已加密；请用密码打开，再存为不加密的',
  },
  'no-xlsx': {
    en: `this is no Excel workbook, in spite of its name; is it whole? Otherwise ${save.en}`,
    zh: `名字像 Excel 工作簿，内容不是；文件完整吗？若完整，${save.zh}`,
  },
  'no-xls': {
    en: `this is no Excel workbook, in spite of its name (programs on the web write pages under the name .xls); ${save.en}`,
    zh: `名字像 Excel 工作簿，内容不是（网站常把网页存成 .xls）；${save.zh}`,
  },
  pdf: { en: `this is a PDF; ${rewrite.en}`, zh: `这是 PDF；${rewrite.zh}` },
  'no-parquet': {
    en: 'this is no Parquet file, in spite of its name; is it whole?',
    zh: '名字像 Parquet 文件，内容不是；文件完整吗？',
  },
  'no-docx': {
    en: `this is no Word document, in spite of its name; ${rewrite.en}`,
    zh: `名字像 Word 文档，内容不是；${rewrite.zh}`,
  },
  numbers: {
    en: 'this is a document of Numbers; there, export the sheet as an Excel workbook (.xlsx) or as CSV (UTF-8)',
    zh: '这是 Numbers 文档；请在 Numbers 中导出为 Excel 工作簿（.xlsx）或 CSV（UTF-8）',
  },
  xlsb: {
    en: `this is a binary Excel workbook (.xlsb); ${save.en}`,
    zh: `这是二进制 Excel 工作簿（.xlsb）；${save.zh}`,
  },
  ods: {
    en: `this is an OpenDocument sheet (.ods); ${save.en}`,
    zh: `这是 OpenDocument 表格（.ods）；${save.zh}`,
  },
  opendocument: {
    en: `this is an OpenDocument file and not a workbook; ${rewrite.en}`,
    zh: `这是 OpenDocument 文件，不是工作簿；${rewrite.zh}`,
  },
  docx: {
    en: `this is a Word document (.docx); ${rewrite.en}`,
    zh: `这是 Word 文档（.docx）；${rewrite.zh}`,
  },
  pptx: { en: `this is a presentation (.pptx); ${rewrite.en}`, zh: `这是演示文稿（.pptx）；${rewrite.zh}` },
  iwork: {
    en: 'this is a document of Numbers or Pages; in Numbers, export the sheet as an Excel workbook (.xlsx) or as CSV (UTF-8)',
    zh: '这是 Numbers 或 Pages 文档；请在 Numbers 中导出为 Excel 工作簿（.xlsx）或 CSV（UTF-8）',
  },
  zip: {
    en: 'this is a ZIP file and not a workbook; unpack it, and give the file with the questions',
    zh: '这是 ZIP 文件，不是工作簿；请解压后给出题目文件',
  },
  lfs: {
    en: 'this is a Git LFS pointer and not the file itself; fetch that with git lfs pull',
    zh: '这是 Git LFS 指针，不是文件本身；请用 git lfs pull 取回文件',
  },
  google: {
    en: 'this is a shortcut to a document of Google; open it there and download it as .xlsx',
    zh: '这是指向 Google 文档的快捷方式；请打开文档，下载为 .xlsx',
  },
  shortcut: {
    en: 'this is a shortcut to an address on the web; open it and give the file with the questions',
    zh: '这是网址的快捷方式；请打开它，给出题目文件',
  },
  markdown: {
    en: 'this is a Markdown table; put it into a sheet, split at |, and save that as an Excel workbook (.xlsx) or as CSV (UTF-8)',
    zh: '这是 Markdown 表格；请按 | 分列放进表格，存为 Excel 工作簿（.xlsx）或 CSV（UTF-8）',
  },
  yaml: {
    en: 'this is YAML; write it as JSONL, one row in a line: {"question": "…", "answer": "…"} (yq -o=json -I=0 ".[]" converts a list)',
    zh: '这是 YAML；请改成 JSONL，每行一题：{"question": "…", "answer": "…"}（yq -o=json -I=0 ".[]" 可以转换列表）',
  },
  d2l: {
    en: `this is a question library of Brightspace (D2L), a key and its value in each row; ${rewrite.en}, one question in a row`,
    zh: `这是 Brightspace（D2L）题库，每行是一个键和它的值；${rewrite.zh}，每行一题`,
  },
  anki: {
    en: 'this is an export of Anki that does not name its columns; name them in a line above the first note, such as #columns:question,answer, separated as the notes are',
    zh: '这是 Anki 导出的文件，没有列名；请在第一条笔记上方加一行列名，例如 #columns:question,answer，分隔符与笔记相同',
  },
} as const;

export type OtherFile = keyof typeof others;

export const otherFileMessages = {
  'workbook.other-file': both(
    ({ other }: { readonly other: OtherFile }) => others[other].en,
    ({ other }) => others[other].zh,
  ),
};
