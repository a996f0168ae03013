/** What is said in the window of a table that was dropped on `batch-check.cmd` or `batch-run.cmd`. */

import { both } from '../both.ts';
import { renderNumber } from '../numbers.ts';

export const droppedMessages = {
  'dropped.none': both(
    () => 'Drag a table (.xlsx, .csv, .jsonl) from its folder onto this file.',
    () => '请把题目表（.xlsx、.csv、.jsonl）从它的文件夹拖到这个文件上。',
  ),
  'dropped.many': both(
    ({ files }: { readonly files: number }) =>
      `${renderNumber(files)} files were dropped; one at a time, please. Nothing was done.`,
    ({ files }) => `一次拖来了 ${renderNumber(files)} 个文件；请一次只拖一个。什么都没有做。`,
  ),
  'dropped.question': both(
    () => 'Make these videos now? Type y and Enter; anything else makes none: ',
    () => '现在就制作这些视频吗？输入 y 再按回车；输入别的则不制作：',
  ),
  'dropped.no': both(
    () => 'No video was made, and nothing was paid. Drop the table here again when you want them.',
    () => '没有制作视频，也没有花积分。想制作时，再把题目表拖来一次。',
  ),
  'dropped.press-key': both(
    () => 'Press any key to close this window.',
    () => '按任意键关闭此窗口。',
  ),
};
