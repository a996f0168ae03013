/** Why `batch export` cannot be carried out as it is written. */

import { both } from '../both.ts';
import { renderNumber } from '../numbers.ts';

interface Located {
  readonly path: string;
}

interface Column {
  readonly name: string;
  /** Columns that there are. */
  readonly known: string;
}

export const exportMessages = {
  'export.no-place': both(
    () => 'say where the videos go, once: --to DIR',
    () => '请说明视频放到哪里，只说一次：--to DIR',
  ),
  'export.to-bucket': both(
    () => '--to is a folder; `rclone copy` takes it from there to a bucket',
    () => '--to 是文件夹；用 `rclone copy` 把它送到存储桶',
  ),
  'export.within': both(
    ({ path }: Located) => `--to ${path} and the folder of the run lie in one another; choose another --to`,
    ({ path }) => `--to ${path} 与运行的文件夹互相包含；请另选 --to`,
  ),
  'export.link-or-copy': both(
    () => '--link and --copy exclude each other; leave out both to link where that is possible',
    () => '--link 与 --copy 不能同时用；两个都不写，则尽可能用链接',
  ),
  'export.link-from-bucket': both(
    () => '--link: the videos are in a bucket, so only copies of them can be here',
    () => '--link：视频在存储桶中，这里只能有它们的副本',
  ),
  'export.no-link': both(
    ({ path }: Located) =>
      `${path} cannot be a hard link: the export must be on the disk of the run, and that disk must have hard links; leave out --link`,
    ({ path }) =>
      `${path} 不能是硬链接：导出的文件夹必须与运行在同一磁盘上，并且该磁盘支持硬链接；请去掉 --link`,
  ),
  'export.file-in-the-way': both(
    ({ path }: Located) =>
      `${path} is not of an export and would be overwritten; move it away, or choose another --to`,
    ({ path }) => `${path} 不属于任何导出，会被覆盖；请移走，或另选 --to`,
  ),
  'export.other-run': both(
    ({ folder, run }: { readonly folder: string; readonly run: string }) =>
      `${folder} holds the export of another run (${run}), and a folder belongs to one run; nothing was exported. Choose another --to`,
    ({ folder, run }) =>
      `${folder} 中是另一个运行（${run}）的导出，一个文件夹只属于一个运行；没有导出任何文件。请另选 --to`,
  ),
  'export.would-replace': both(
    ({ path, more }: Located & { readonly more: number }) =>
      `${path}${more > 0 ? ` (and ${renderNumber(more)} more)` : ''} is not of an export of this run, and would be replaced; nothing was exported. Choose another --to or --name, or move it away`,
    ({ path, more }) =>
      `${path}${more > 0 ? `（另有 ${renderNumber(more)} 个）` : ''} 不属于本次运行的导出，会被覆盖；没有导出任何文件。请另选 --to 或 --name，或把它移走`,
  ),
  'export.url-base': both(
    ({ base }: { readonly base: string }) =>
      `--url-base ${base} is not the address of a folder; give one such as https://videos.example/course, without ? and #`,
    ({ base }) =>
      `--url-base ${base} 不是文件夹的地址；请写成 https://videos.example/course 这样，不带 ? 和 #`,
  ),
  'export.no-chapters': both(
    ({ name, known }: Column) => `--chapters ${name}: no column has this name; there are ${known}`,
    ({ name, known }) => `--chapters ${name}：没有这个名字的列；现有的列：${known}`,
  ),
  'export.near-chapters': both(
    ({ name, near, known }: Column & { readonly near: string }) =>
      `--chapters ${name}: no column has this name; did you mean ${near}? There are ${known}`,
    ({ name, near, known }) => `--chapters ${name}：没有这个名字的列；您是指 ${near} 吗？现有的列：${known}`,
  ),
  'export.needs-page': both(
    ({ option }: { readonly option: string }) => `${option} says what a page shows; add --page`,
    ({ option }) => `${option} 说明网页显示什么；请加上 --page`,
  ),
  'export.qr-without-base': both(
    () => '--page-qr: a QR code holds the address of the page; add --url-base https://videos.example/course',
    () => '--page-qr：二维码中是网页的地址；请加上 --url-base https://videos.example/course',
  ),
  'export.one-column': both(
    () => '--chapters takes the name of one column, such as --chapters chapter',
    () => '--chapters 需要一个列名，例如 --chapters 章节',
  ),
  'export.one-title': both(
    () => '--title takes what the page is called, once, such as --title "Algebra, grade 8"',
    () => '--title 需要一个网页标题，只给一次，例如 --title "八年级代数"',
  ),
  'export.nothing': both(
    () => 'no video is exported, so --delete would remove all; nothing was removed',
    () => '没有导出任何视频，--delete 会删除全部；没有删除任何文件',
  ),
};
