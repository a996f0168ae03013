/** Why the value of an option is refused. */

import { both } from '../both.ts';

interface Unknown {
  readonly placeholder: string;
  readonly names: string;
  readonly known: string;
}

export const valueMessages = {
  'value.switch': both(
    () => 'takes no value; true or false in a job file',
    () => '不带值；在作业文件中用 true 或 false',
  ),
  'value.port': both(
    ({ port, host, failure }: { readonly port: number; readonly host: string; readonly failure: string }) =>
      `port ${port} of ${host} cannot be used (${failure})`,
    ({ port, host, failure }) => `${host} 的端口 ${port} 无法使用（${failure}）`,
  ),
  'fault.capacity': both(
    ({ text }: { readonly text: string }) => `fault '${text}' needs a number of tasks: use capacity=20`,
    ({ text }) => `故障 '${text}' 需要任务数：请用 capacity=20`,
  ),
  'fault.rate': both(
    ({ text, name }: { readonly text: string; readonly name: string }) =>
      `fault '${text}' needs a rate from 0 to 1 or in percent: use ${name}=0.05 or ${name}=5%`,
    ({ text, name }) => `故障 '${text}' 需要 0 至 1 之间的比例或百分数：请用 ${name}=0.05 或 ${name}=5%`,
  ),

  'template.brace': both(
    () => 'has a single brace; write {{ or }} for a brace',
    () => '含有单个花括号；要写花括号请用 {{ 或 }}',
  ),
  'template.slash': both(
    () =>
      'has a / at its start or end, or two in a row; a name is made of {id} and the like, with / only between folders',
    () => '开头或结尾有 /，或有两个相连的 /；名称由 {id} 等组成，/ 只写在文件夹之间',
  ),
  'template.dots': both(
    () => 'leads out of the folder; leave out the dots',
    () => '通到文件夹之外；请去掉点',
  ),
  'template.backslash': both(
    () => 'has a \\; write / between folders',
    () => '含有 \\；文件夹之间请写 /',
  ),
  'template.folders': both(
    ({ most }: { readonly most: number }) => `has more than ${most} folders; use fewer`,
    ({ most }) => `文件夹超过 ${most} 层；请减少`,
  ),
  'template.fixed': both(
    () => 'names every video alike; use a placeholder such as {id}',
    () => '会给每个视频取同样的名字；请使用 {id} 之类的占位符',
  ),
  'template.unknown': both(
    ({ placeholder, names, known }: Unknown) =>
      `has ${placeholder}, which is neither a column nor one of ${names}; the columns are ${known}`,
    ({ placeholder, names, known }) =>
      `含有 ${placeholder}，它既不是列，也不是 ${names} 之一；现有的列：${known}`,
  ),
  'template.near': both(
    ({ placeholder, names, known, near }: Unknown & { readonly near: string }) =>
      `has ${placeholder}, which is neither a column nor one of ${names}; did you mean ${near}?; the columns are ${known}`,
    ({ placeholder, names, known, near }) =>
      `含有 ${placeholder}，它既不是列，也不是 ${names} 之一；是不是 ${near}？；现有的列：${known}`,
  ),
};
