/** What is said of single rows and their images, in Chinese: it is saved with them as English text. */

import { rowDoubts } from '../../input/doubts/row-doubts.ts';
import type { Sentence } from './sentences.ts';

export const rowSentences: readonly Sentence[] = [
  ...rowDoubts.map(
    ({ what }): Sentence => [
      `looks odd: ${what.en} (--odd send sends it)`,
      `看起来不对：${what.zh}；要发送请加 --odd send`,
    ],
  ),
  ...rowDoubts
    .filter(({ mended }) => mended !== undefined)
    .map(
      ({ what }): Sentence => [
        `looks odd: ${what.en}; it may be "{text}" (--odd send sends it)`,
        `看起来不对：${what.zh}；可能是“{text}”；要发送请加 --odd send`,
      ],
    ),
  ['it has neither a question nor a question image', '既没有题目，也没有题目图片'],
  [
    '{field} is =DISPIMG(...), a picture that is lost in this file; use the workbook (.xlsx) itself',
    '{field} 是 =DISPIMG(...)，图片在这个文件中已丢失；请直接使用工作簿（.xlsx）',
  ],
  ['quality is {value}; use {choices} or leave it empty', '清晰度是 {value}；请用 {choices}，或留空'],
  ['notify_url is not a complete http(s) address', 'notify_url 不是完整的 http(s) 地址'],
  [
    '{field} is not UTF-8 text; write the file again with its texts in UTF-8',
    '{field} 不是 UTF-8 文字；请以 UTF-8 重新写出该文件',
  ],
  [
    '{field} contains a character that cannot be sent (U+0000 or an unpaired surrogate)',
    '{field} 含有无法发送的字符（U+0000 或不成对的代理字符）',
  ],
  [
    '{field} has 32,767 characters, the most that a cell of a spreadsheet holds: its end was cut off; shorten it, or give pictures as files',
    '{field} 有 32,767 个字符，是电子表格单元格的上限：末尾已被截断；请缩短，或以文件给出图片',
  ],
  [
    '{field} is a number too long to be read exactly; put it in quotes',
    '{field} 是过长的数字，无法准确读取；请加引号',
  ],
  ['{field} is {kindSaid}, not text', '{field} 是{kindSaid}，不是文字'],
  ['{field} contains {kindSaid}, not an image', '{field} 含有{kindSaid}，不是图片'],
  ['{field}: {image} is missing or not a file', '{field}：{image} 不存在，或不是文件'],
  ['{field}: {image} is not an image', '{field}：{image} 不是图片'],
  [
    '{field}: {image} is a Git LFS pointer and not the image itself; fetch that with git lfs pull',
    '{field}：{image} 是 Git LFS 指针，不是图片本身；请用 git lfs pull 取回',
  ],
  ['{field}: {image} is cut off', '{field}：{image} 不完整，被截断'],
  ['{field}: image {place} is cut off', '{field}：第 {place} 幅图片不完整，被截断'],
  ['{field}: {image} cannot be read ({code})', '{field}：{image} 无法读取（{code}）'],
  [
    '{field}: {image} is {size}, more than --max-image-bytes allows ({most}); make it smaller',
    '{field}：{image} 有 {size}，超过 --max-image-bytes（{most}）；请缩小',
  ],
  [
    '{field}: image {place} is {size}, more than --max-image-bytes allows ({most}); make it smaller',
    '{field}：第 {place} 幅图片有 {size}，超过 --max-image-bytes（{most}）；请缩小',
  ],
  [
    '{field}: image {place} is not among the pictures that the run keeps; use the workbook that it came from',
    '{field}：第 {place} 幅图片不在运行保存的图片中；请使用它原来的工作簿',
  ],
  [
    'the images total {size}, more than {most} ({times} times --max-image-bytes); make them smaller',
    '图片共 {size}，超过 {most}（--max-image-bytes 的 {times} 倍）；请缩小',
  ],
  ['{field}: {image} is not a complete address', '{field}：{image} 不是完整的网址'],
  ['{field}: {image} is base64, but not of an image', '{field}：{image} 是 base64，但不是图片'],
  ['{field}: {image} is base64 that was cut off', '{field}：{image} 是被截断的 base64'],
  [
    '{field}: {image} is a data URI, but not of an image (data:image/…)',
    '{field}：{image} 是 data URI，但不是图片（data:image/…）',
  ],
  [
    '{field}: {image} is a data URI whose base64 is damaged',
    '{field}：{image} 是 data URI，但其中的 base64 已损坏',
  ],
  [
    '{field}: {image} is a data URI, but its bytes are not an image',
    '{field}：{image} 是 data URI，但内容不是图片',
  ],
  ['{field}: {image} is a file on another machine', '{field}：{image} 是另一台机器上的文件'],
  ['{field}: {image} is not a valid file address', '{field}：{image} 不是有效的文件地址'],
  ['{field}: {image} starts like a JSON list, but is not one', '{field}：{image} 开头像 JSON 列表，但不是'],
  [
    '{field}: {image} is neither an http(s) address, a data URI, base64 of an image nor a path',
    '{field}：{image} 既不是 http(s) 网址、data URI、图片的 base64，也不是路径',
  ],
  [
    'the HTML has an <img> without src; list its image in a column',
    'HTML 中有没有 src 的 <img>；请把图片写在图片列',
  ],
  [
    'the HTML has <{tag}>, which is neither text nor an image; replace it with an image',
    'HTML 中有 <{tag}>，它既不是文字也不是图片；请换成图片',
  ],
  [
    'the HTML has a list that is counted down without start=; number its items',
    'HTML 中有倒序编号而没有 start= 的列表；请给各项写上编号',
  ],
  [
    'the HTML is cut off, nested too deep, or has a comment or a tag without an end; mend the cell',
    'HTML 被截断、嵌套过深，或有未结束的注释或标签；请改正单元格',
  ],
  [
    '{path} already exists and is not part of this run; move it away',
    '{path} 已存在，且不属于本次运行；请移走',
  ],
  [
    '{image} has changed since the row was read; `batch run FILE` reads it again',
    '{image} 在读取这一行之后有改动；`batch run FILE` 会重新读取',
  ],
  [
    'one of {images} has changed since the row was read; `batch run FILE` reads them again',
    '{images} 中有一幅在读取这一行之后有改动；`batch run FILE` 会重新读取',
  ],
  ['{image} changed while it was read', '{image} 在读取时有改动'],
  [
    '{image} changed while it was read; wait until it is complete, then run the same command again',
    '{image} 在读取时有改动；请等它写完，再运行同一命令',
  ],
  [
    '{image} is not stored with the run; `batch run FILE` stores it again',
    '{image} 没有随运行保存；`batch run FILE` 会重新保存',
  ],
  [
    '{image} is damaged where it is stored with the run; remove it there, and `batch run FILE` stores it again',
    '随运行保存的 {image} 已损坏；请在那里删除它，`batch run FILE` 会重新保存',
  ],
  ['{image} is cut off', '{image} 不完整，被截断'],
  ['{image} is not an image', '{image} 不是图片'],
  [
    '{image} is {size}, more than --max-image-bytes allows ({most}); make it smaller',
    '{image} 有 {size}，超过 --max-image-bytes（{most}）；请缩小',
  ],
  ['{image} cannot be read', '{image} 无法读取'],
  [
    'the question in {path} is not as it was saved; `batch run FILE` reads it again',
    '{path} 中的题目与保存时不同；`batch run FILE` 会重新读取',
  ],
];

export const rowParts: readonly Sentence[] = [
  ['a list', '列表'],
  ['an object', '对象'],
  ['a number', '数字'],
  ['a boolean', '布尔值'],
];
