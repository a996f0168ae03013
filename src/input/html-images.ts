/** The pictures of HTML: where they are, and the formulas that some of them show. */

import { isImagePath, unsendableEntry } from '../files/image-source.ts';
import { message } from '../messages/message.ts';

export type TagAttributes = Readonly<Record<string, string>>;

/** Where pages write the address of a picture that is loaded when it comes into view, the surest first. */
const lazySources = (
  'data-src data-original data-lazy-src data-lazy data-actualsrc data-original-src data-original-url data-orig-file ' +
  'data-echo data-url data-srcset data-lazy-srcset srcset'
).split(' ');
/** What stands in its place until then. */
const placeholder =
  /^data:.{0,2000}$|^about:|(?:^|[/_.-])(?:blank|spacer|placeholder|loading|lazy(?:load)?|transparent|pixel|1x1|grey|gray|loader|clear)[\w.-]*\.(?:gif|png|svg|jpe?g|webp)(?:[?#].*)?$/i;
/** A picture of one point. */
const onePoint = /^data:image\/gif;base64,R0lGODlhAQAB/;

/** The address of a picture, as an entry of an image column. */
export function imageOf(attributes: TagAttributes): string {
  const source = (attributes.src ?? '').trim();
  const lazy = lazySources.map((name) => (attributes[name] ?? '').trim()).find((address) => address !== '');
  const isLazy = lazy !== undefined && (source === '' || placeholder.test(source));
  // A `srcset` lists several sizes with their widths.
  const address = isLazy ? (lazy.split(/\s*,\s+|\s+/)[0] ?? '') : source;
  if (address === '') return unsendableEntry(message('html.no-src'));
  if (onePoint.test(address)) return unsendableEntry(message('html.one-point'));
  // Pages leave the scheme out.
  return /^\/\/[^/]/.test(address) ? `https:${address}` : address;
}

/** The source of a formula, as programs write it beside its picture. */
const formulaAttributes = [
  'data-latex',
  'data-equation-content',
  'data-equation',
  'data-formula',
  'data-tex',
];
const formulaClass =
  /(?:^|\s)(?:equation_image|latex|tex|texrender|mwe-math-fallback-image-\w+|math-tex|ql-formula|latex-image)(?:\s|$)/i;
const formulaAddress = /[/.](?:equation\?tex=|codecogs\.com\/|equation_images\/)/i;
/** A text that only LaTeX has: `\frac{`, `\sqrt[`, `x^{`, or in its marks. */
const latex =
  /^\s*(?:latex:|\\[([]|\$.*\$\s*$|\{\\(?:displaystyle|textstyle))|\\[a-z]+\s*[{[]|[\w)}]\s*[\^_]\{/is;

/** What stands beside a formula that was not written out. */
const noFormula = /^\W*(?:true|false|[01]|formula|equation|latex|math|image|公式|图片)\W*$/i;

/** The formula that a picture shows, as text; null for another picture. */
export function formulaIn(attributes: TagAttributes): string | null {
  const { alt = '', class: classes = '', src = '' } = attributes;
  const isFormula = formulaClass.test(classes) || formulaAddress.test(src) || latex.test(alt);
  const text = [...formulaAttributes.map((name) => attributes[name] ?? ''), isFormula ? alt : '']
    .map((each) => each.replace(/^\s*latex:/i, '').trim())
    .find((each) => each !== '' && !noFormula.test(each));
  if (text === undefined) return null;
  return /^(?:\$|\\\(|\\\[)/.test(text) ? text : `$${text}$`;
}

/** True for an element with a picture behind its text. */
export function hasBackground({ style = '', background = '' }: TagAttributes): boolean {
  return background.trim() !== '' || /background(?:-image)?\s*:[^;]*url\(/i.test(style);
}

/** The picture that a link leads to, or a word for sound or film; null for another link. */
export function linkedPart({
  href = '',
}: TagAttributes): { readonly image: string } | { readonly tag: string } | null {
  const address = href.trim();
  const path = address.replace(/[?#].*$/s, '');
  if (/\.(?:mp[34]|m4[av]|wav|ogg|webm|mov|avi|flv|swf)$/i.test(path))
    return { tag: `a href=${path.slice(path.lastIndexOf('/') + 1)}` };
  // A page about a picture is none.
  return isImagePath(path) && !/\/(?:file|image|文件):/i.test(path) ? { image: address } : null;
}
