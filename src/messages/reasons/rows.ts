/** Why a row cannot be sent: its texts, its HTML and its pictures. */

import { both, type Words } from '../both.ts';

interface OfField {
  readonly field: string;
}

interface OfImage {
  /** As a sentence shows it. */
  readonly image: string;
  /** One of `flawMessages`. */
  readonly what: Words;
}

interface Sizes {
  readonly size: string;
  readonly most: string;
}

/** What is wrong with a picture, as the end of a sentence that names it. */
export const flawMessages = {
  'picture.missing': both(
    () => 'is missing or not a file',
    () => '不存在，或不是文件',
  ),
  'picture.no-image': both(
    () => 'is not an image',
    () => '不是图片',
  ),
  'picture.lfs-pointer': both(
    () => 'is a Git LFS pointer and not the image itself; fetch that with git lfs pull',
    () => '是 Git LFS 指针，不是图片本身；请用 git lfs pull 取回',
  ),
  'picture.cut-off': both(
    () => 'is cut off',
    () => '不完整，被截断',
  ),
  'picture.unreadable': both(
    () => 'cannot be read',
    () => '无法读取',
  ),
  'picture.refused': both(
    ({ code }: { readonly code: string }) => `cannot be read (${code})`,
    ({ code }) => `无法读取（${code}）`,
  ),
  'picture.large': both(
    ({ size, most }: Sizes) => `is ${size}, more than --max-image-bytes allows (${most}); make it smaller`,
    ({ size, most }) => `有 ${size}，超过 --max-image-bytes（${most}）；请缩小`,
  ),
  'picture.not-kept': both(
    () => 'is not among the pictures that the run keeps; use the workbook that it came from',
    () => '不在运行保存的图片中；请使用它原来的工作簿',
  ),
  'picture.no-address': both(
    () => 'is not a complete address',
    () => '不是完整的网址',
  ),
  'picture.other-base64': both(
    () => 'is base64, but not of an image',
    () => '是 base64，但不是图片',
  ),
  'picture.cut-base64': both(
    () => 'is base64 that was cut off',
    () => '是被截断的 base64',
  ),
  'picture.other-uri': both(
    () => 'is a data URI, but not of an image (data:image/…)',
    () => '是 data URI，但不是图片（data:image/…）',
  ),
  'picture.damaged-uri': both(
    () => 'is a data URI whose base64 is damaged',
    () => '是 data URI，但其中的 base64 已损坏',
  ),
  'picture.other-bytes': both(
    () => 'is a data URI, but its bytes are not an image',
    () => '是 data URI，但内容不是图片',
  ),
  'picture.elsewhere': both(
    () => 'is a file on another machine',
    () => '是另一台机器上的文件',
  ),
  'picture.no-file-address': both(
    () => 'is not a valid file address',
    () => '不是有效的文件地址',
  ),
  'picture.no-list': both(
    () => 'starts like a JSON list, but is not one',
    () => '开头像 JSON 列表，但不是',
  ),
  'picture.neither': both(
    () => 'is neither an http(s) address, a data URI, base64 of an image nor a path',
    () => '既不是 http(s) 网址、data URI、图片的 base64，也不是路径',
  ),
  'picture.changed': both(
    () => 'changed while it was read',
    () => '在读取时有改动',
  ),
  'picture.incomplete': both(
    () => 'changed while it was read; wait until it is complete, then run the same command again',
    () => '在读取时有改动；请等它写完，再运行同一命令',
  ),
  'picture.changed-since': both(
    () => 'has changed since the row was read; `batch run FILE` reads it again',
    () => '在读取这一行之后有改动；`batch run FILE` 会重新读取',
  ),
  'picture.not-stored': both(
    () => 'is not stored with the run; `batch run FILE` stores it again',
    () => '没有随运行保存；`batch run FILE` 会重新保存',
  ),
};

/** Sentences that name a picture and its flaw. */
export const pictureMessages = {
  'picture.in-field': both(
    ({ field, image, what }: OfField & OfImage) => `${field}: ${image} ${what.en}`,
    ({ field, image, what }) => `${field}：${image} ${what.zh}`,
  ),
  'picture.nth': both(
    ({ field, nth, what }: OfField & Pick<OfImage, 'what'> & { readonly nth: string }) =>
      `${field}: image ${nth} ${what.en}`,
    ({ field, nth, what }) => `${field}：第 ${nth} 幅图片${what.zh}`,
  ),
  'picture.flawed': both(
    ({ image, what }: OfImage) => `${image} ${what.en}`,
    ({ image, what }) => `${image} ${what.zh}`,
  ),
};

/** What stands where a text or a picture should. */
export const kindMessages = {
  'kind.list': both(
    () => 'a list',
    () => '列表',
  ),
  'kind.object': both(
    () => 'an object',
    () => '对象',
  ),
  'kind.number': both(
    () => 'a number',
    () => '数字',
  ),
  'kind.boolean': both(
    () => 'a boolean',
    () => '布尔值',
  ),
};

interface OfKind extends OfField {
  /** One of `kindMessages`. */
  readonly what: Words;
}

interface Odd {
  /** What the row seems to be. */
  readonly what: Words;
}

export const rowMessages = {
  'row.odd': both(
    ({ what }: Odd) => `${oddStart}${what.en} (--odd send sends it)`,
    ({ what }) => `看起来不对：${what.zh}；要发送请加 --odd send`,
  ),
  'row.odd-mended': both(
    ({ what, text }: Odd & { readonly text: string }) =>
      `${oddStart}${what.en}; it may be "${text}" (--odd send sends it)`,
    ({ what, text }) => `看起来不对：${what.zh}；可能是“${text}”；要发送请加 --odd send`,
  ),
  'row.twin': both(
    ({ id }: { readonly id: string }) =>
      `${twinStart}${id}, which has the same question (--reuse none sends it)`,
    ({ id }) => `等待 ${id} 的视频，两行题目相同；要单独发送请加 --reuse none`,
  ),
  'row.twin-elsewhere': both(
    ({ id, folder }: { readonly id: string; readonly folder: string }) =>
      `${twinStart}${id} in ${folder}, which has the same question (--reuse none sends it)`,
    ({ id, folder }) => `等待 ${folder} 中 ${id} 的视频，两行题目相同；要单独发送请加 --reuse none`,
  ),
  'row.flawed': both(
    () => `${twinStart}another row, whose file is not as it was saved (--reuse none sends this one)`,
    () => '等待另一行的视频，而那个文件已与当初保存的不同；要发送此行请加 --reuse none',
  ),
  'row.empty': both(
    () => 'it has neither a question nor a question image',
    () => '既没有题目，也没有题目图片',
  ),
  'row.quality': both(
    ({ value, names }: { readonly value: string; readonly names: string }) =>
      `quality is ${value}; use ${names} or leave it empty`,
    ({ value, names }) => `清晰度是 ${value}；请用 ${names}，或留空`,
  ),
  'row.notify-url': both(
    () => 'notify_url is not a complete http(s) address',
    () => 'notify_url 不是完整的 http(s) 地址',
  ),
  'row.lost-picture': both(
    ({ field }: OfField) =>
      `${field} is =DISPIMG(...), a picture that is lost in this file; use the workbook (.xlsx) itself`,
    ({ field }) => `${field} 是 =DISPIMG(...)，图片在这个文件中已丢失；请直接使用工作簿（.xlsx）`,
  ),
  'row.no-utf-8': both(
    ({ field }: OfField) => `${field} is not UTF-8 text; write the file again with its texts in UTF-8`,
    ({ field }) => `${field} 不是 UTF-8 文字；请以 UTF-8 重新写出该文件`,
  ),
  'row.character': both(
    ({ field }: OfField) =>
      `${field} contains a character that cannot be sent (U+0000 or an unpaired surrogate)`,
    ({ field }) => `${field} 含有无法发送的字符（U+0000 或不成对的代理字符）`,
  ),
  'row.cut-cell': both(
    ({ field }: OfField) =>
      `${field} has 32,767 characters, the most that a cell of a spreadsheet holds: its end was cut off; shorten it, or give pictures as files`,
    ({ field }) =>
      `${field} 有 32,767 个字符，是电子表格单元格的上限：末尾已被截断；请缩短，或以文件给出图片`,
  ),
  'row.long-number': both(
    ({ field }: OfField) => `${field} is a number too long to be read exactly; put it in quotes`,
    ({ field }) => `${field} 是过长的数字，无法准确读取；请加引号`,
  ),
  'row.no-text': both(
    ({ field, what }: OfKind) => `${field} is ${what.en}, not text`,
    ({ field, what }) => `${field} 是${what.zh}，不是文字`,
  ),
  'row.no-image': both(
    ({ field, what }: OfKind) => `${field} contains ${what.en}, not an image`,
    ({ field, what }) => `${field} 含有${what.zh}，不是图片`,
  ),
  'row.large-images': both(
    ({ size, most, times }: Sizes & { readonly times: string }) =>
      `the images total ${size}, more than ${most} (${times} times --max-image-bytes); make them smaller`,
    ({ size, most, times }) => `图片共 ${size}，超过 ${most}（--max-image-bytes 的 ${times} 倍）；请缩小`,
  ),
  'row.image-changed': both(
    ({ images }: { readonly images: string }) =>
      `one of ${images} has changed since the row was read; \`batch run FILE\` reads them again`,
    ({ images }) => `${images} 中有一幅在读取这一行之后有改动；\`batch run FILE\` 会重新读取`,
  ),
  'row.damaged-image': both(
    ({ image }: Pick<OfImage, 'image'>) =>
      `${image} is damaged where it is stored with the run; remove it there, and \`batch run FILE\` stores it again`,
    ({ image }) => `随运行保存的 ${image} 已损坏；请在那里删除它，\`batch run FILE\` 会重新保存`,
  ),
  'row.foreign-file': both(
    ({ path }: { readonly path: string }) =>
      `${path} already exists and is not part of this run; move it away`,
    ({ path }) => `${path} 已存在，且不属于本次运行；请移走`,
  ),

  'html.no-src': both(
    () => 'the HTML has an <img> without src; list its image in a column',
    () => 'HTML 中有没有 src 的 <img>；请把图片写在图片列',
  ),
  'html.one-point': both(
    () =>
      'the HTML has an <img> of one point, in place of one that its page loads later; list its image in a column',
    () => 'HTML 中的 <img> 只有一个点，是网页稍后才加载的图片的占位；请把图片写在图片列',
  ),
  'html.background': both(
    () => 'the HTML has a picture behind its text; list it in a column of images',
    () => 'HTML 的文字后面有背景图片；请把图片写在图片列',
  ),
  'html.unknown': both(
    ({ tag }: { readonly tag: string }) =>
      `the HTML has <${tag}>, which is no element of HTML; replace it with text or an image`,
    ({ tag }) => `HTML 中有 <${tag}>，它不是 HTML 的元素；请换成文字或图片`,
  ),
  'html.element': both(
    ({ tag }: { readonly tag: string }) =>
      `the HTML has <${tag}>, which is neither text nor an image; replace it with an image`,
    ({ tag }) => `HTML 中有 <${tag}>，它既不是文字也不是图片；请换成图片`,
  ),
  'html.counted-down': both(
    () => 'the HTML has a list that is counted down without start=; number its items',
    () => 'HTML 中有倒序编号而没有 start= 的列表；请给各项写上编号',
  ),
  'html.cut-off': both(
    () => 'the HTML is cut off, nested too deep, or has a comment or a tag without an end; mend the cell',
    () => 'HTML 被截断、嵌套过深，或有未结束的注释或标签；请改正单元格',
  ),
};

/** How the reason of a row begins that waits for the video of another one. */
export const twinStart = 'waits for the video of ';

/** How the reason of a row that was held back begins. */
export const oddStart = 'looks odd: ';
