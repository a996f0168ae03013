/** Why `batch export` cannot be carried out as it is written. */

import { both } from '../both.ts';
import { renderNumber } from '../numbers.ts';

interface Located {
  readonly path: string;
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
  'export.nothing': both(
    () => 'no video is exported, so --delete would remove all; nothing was removed',
    () => '没有导出任何视频，--delete 会删除全部；没有删除任何文件',
  ),
};
