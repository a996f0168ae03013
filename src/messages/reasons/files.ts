/** What is said of single files: those that are not as they were saved, and those that other programs hold or change. */

import { both } from '../both.ts';

interface Located {
  readonly path: string;
}

/** Saved with the row whose file it is. */
export const fileMessages = {
  'file.in-use': both(
    ({ path }: Located) => `${path} is open in another program; close it there`,
    ({ path }) => `${path} 正被其他程序打开；请在那里关闭`,
  ),
  'file.removed': both(
    ({ path }: Located) =>
      `the partial file of ${path} was removed by another program, such as a virus scanner; let it leave the output folder alone`,
    ({ path }) => `${path} 的未完成文件被其他程序（例如杀毒软件）删除；请让它不要动输出文件夹`,
  ),
  'file.no-room': both(
    ({ path, size, free }: Located & { readonly size: string; readonly free: string }) =>
      `${path} has ${size}, and the disk has room for ${free}; free space and run the same command again`,
    ({ path, size, free }) => `${path} 大小为 ${size}，而磁盘只能容纳 ${free}；请腾出空间，再运行同一命令`,
  ),
  'file.lost-picture': both(
    ({ path }: Located) =>
      `${path}, a picture of the row, is missing; run the command again with the workbook`,
    ({ path }) => `题目的图片 ${path} 缺失；请用工作簿再次运行该命令`,
  ),
  'file.changed-picture': both(
    ({ path }: Located) =>
      `${path}, a picture of the row, was changed; delete it and run the command again with the workbook`,
    ({ path }) => `题目的图片 ${path} 有改动；请删除它，再用工作簿运行该命令`,
  ),
};

/** A file that was saved, as it is on disk now. */
export const savedFileMessages = {
  'saved.missing': both(
    () => 'is missing',
    () => '缺失',
  ),
  'saved.spare': both(
    () => 'is missing; the row has the video of another attempt',
    () => '缺失；这一行采用另一次尝试的视频',
  ),
  'saved.back': both(
    () => 'is back, as it was saved',
    () => '已恢复，与保存时一致',
  ),
  'saved.size': both(
    ({ there, saved }: { readonly there: number; readonly saved: number }) =>
      `has ${there} bytes, ${saved} were saved`,
    ({ there, saved }) => `有 ${there} 字节，保存时是 ${saved} 字节`,
  ),
  'saved.differs': both(
    () => 'differs from what was saved',
    () => '与保存时不同',
  ),
  'saved.unreadable': both(
    () => 'cannot be read',
    () => '无法读取',
  ),
  'saved.earlier': both(
    () => 'an earlier attempt made it, so it cannot be downloaded again',
    () => '由以前的尝试生成，无法重新下载',
  ),
  'saved.reused': both(
    () => 'it was taken from another row or run, so it cannot be downloaded again',
    () => '取自另一行或另一次运行，无法重新下载',
  ),
  'saved.ordered': both(
    () => 'a new attempt was ordered, so it is not downloaded again',
    () => '已安排新的尝试，因此不重新下载',
  ),
};

/** A file that is read or written line by line. */
export const lineFileMessages = {
  'lines.no-file': both(
    () => 'it is not a regular file',
    () => '不是普通文件',
  ),
  'lines.no-end': both(
    () => 'its last line has no end',
    () => '最后一行没有结束',
  ),
  'lines.too-long': both(
    ({ most }: { readonly most: string }) => `it is longer than ${most}`,
    ({ most }) => `超过 ${most}`,
  ),
};
