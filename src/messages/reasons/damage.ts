/** What is wrong with a run in its store. */

import { both, type Words } from '../both.ts';

/** As the end of a sentence that names what has it. */
const flaws = {
  'damage.differs': both(
    () => 'is not as it was saved',
    () => '与保存时不同',
  ),
  'damage.counts': both(
    () => 'is counted wrongly',
    () => '计数有误',
  ),
  'damage.no-question': both(
    () => 'has lost its question',
    () => '丢失了题目',
  ),
  'damage.attempt': both(
    () => 'has an attempt that was never made',
    () => '有一次从未进行的尝试',
  ),
  'damage.file': both(
    () => 'has a file that makes no sense',
    () => '有一个不合理的文件',
  ),
  'damage.folder': both(
    () => 'has the folder of another row',
    () => '用的是另一行的文件夹',
  ),
};

export type DamageId = keyof typeof flaws;

export const damageMessages = {
  ...flaws,
  'damage.tables': both(
    () => 'its tables are not those of batch',
    () => '其中的表不是 batch 的',
  ),
  'damage.of-row': both(
    ({ id, what }: { readonly id: string; readonly what: Words }) => `row ${id} ${what.en}`,
    ({ id, what }) => `${id} ${what.zh}`,
  ),
};
