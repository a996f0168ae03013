/** What a command does that takes a while. */

import { both } from './both.ts';

interface Named {
  readonly name: string;
}

export const longWorkMessages = {
  'work.reading': both(
    ({ name }: Named) => `Reading ${name}`,
    ({ name }) => `正在读取 ${name}`,
  ),
  'work.audit': both(
    () => 'Comparing the statement with the run',
    () => '正在比对账单与运行',
  ),
  'work.checkpoint': both(
    () => 'Checking the saved state of the run',
    () => '正在检查运行的存档',
  ),
  'work.saving': both(
    () => 'Checking and saving the run',
    () => '正在检查并保存运行',
  ),
  'work.files': both(
    () => 'Checking the files',
    () => '正在检查文件',
  ),
  'work.videos': both(
    () => 'Looking into the videos',
    () => '正在检查视频内容',
  ),
  'work.export': both(
    () => 'Exporting the videos',
    () => '正在导出视频',
  ),
  'work.move': both(
    () => 'Moving the run',
    () => '正在迁移运行',
  ),
  'work.reports': both(
    () => 'Writing the reports',
    () => '正在写报告',
  ),
};
