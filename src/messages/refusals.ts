/** What is said where the options and words of a command do not fit together, or a file that it is given cannot be used. */

import { both, type Words } from './both.ts';

interface Near {
  readonly near: string;
}

interface Instead {
  readonly so: Words;
}

export const refusalMessages = {
  'refused.listen': both(
    ({ host, port, failure }: { readonly host: string; readonly port: number; readonly failure: string }) =>
      `--listen ${host}:${port}: ${failure}; choose another address`,
    ({ host, port, failure }) => `--listen ${host}:${port}：无法监听（${failure}）；请另选地址`,
  ),
  'refused.json-and-events': both(
    () => '--json and --events - both want standard output; give --events a file',
    () => '--json 和 --events - 都要用标准输出；请给 --events 一个文件',
  ),
  'refused.unwritable': both(
    ({ path, failure }: Refused) => `${path} cannot be written (${failure}); give the path of a new file`,
    ({ path, failure }) => `${path} 无法写入（${failure}）；请给出新文件的路径`,
  ),
  'refused.changed-workbook': both(
    ({ path }: Located) =>
      `${path} is not as a run wrote it, and would be replaced; move it away, or leave out --report xlsx`,
    ({ path }) => `${path} 已不是运行写出的样子，会被覆盖；请移走，或去掉 --report xlsx`,
  ),
  'refused.list-to': both(
    () => '--to names one file for the table of --list; use `batch resolve [DIR] --list --to FILE`',
    () => '--to 为 --list 的表指定一个文件；请用 `batch resolve [DIR] --list --to FILE`',
  ),
  'refused.env-file': both(
    ({ path, failure }: Refused) => `${path} cannot be read: ${failure}`,
    ({ path, failure }) => `${path} 无法读取：${failure}`,
  ),
  'refused.home-or-here': both(
    ({ option, path, home }: { readonly option: string; readonly path: string; readonly home: string }) =>
      `${option}: "${path}" may mean ./${path}, which is there, or ${home}; write the one that is meant`,
    ({ option, path, home }) =>
      `${option}：“${path}”可能指这里的 ./${path}，也可能指 ${home}；请写明是哪一个`,
  ),
  'refused.home-of-another': both(
    ({ option, path }: { readonly option: string; readonly path: string }) =>
      `${option}: "${path}" names the home folder of another user; use the whole path, or ./${path} for a name that begins with ~`,
    ({ option, path }) =>
      `${option}：“${path}”是另一个用户的主文件夹；请用完整路径，名称以 ~ 开头时请用 ./${path}`,
  ),
  'refused.job-unreadable': both(
    ({ path, failure }: Refused) => `${path} cannot be read as a job file: ${failure}`,
    ({ path, failure }) => `${path} 无法作为作业文件读取：${failure}`,
  ),
  'refused.job-no-object': both(
    ({ path }: Located) => `${path} must be one JSON object of options`,
    ({ path }) => `${path} 必须是一个由选项组成的 JSON 对象`,
  ),
  'refused.job-doubled': both(
    ({ path, option }: { readonly path: string; readonly option: string }) =>
      `${path}: "${option}" is given twice; remove one of them`,
    ({ path, option }) => `${path}：“${option}”出现了两次；请去掉一个`,
  ),
  'refused.run-without-store': both(
    () => '--run names a run in a store; give --store or set BATCH_STORE',
    () => '--run 指的是存储中的运行；请给出 --store，或设置 BATCH_STORE',
  ),
  'refused.store-without-run': both(
    () => 'a store keeps many runs; say which one: --run NAME',
    () => '一个存储中有许多运行；请指明是哪一个：--run 名称',
  ),
  'refused.store-unsaid': both(
    () =>
      'BATCH_STORE is set, and this does not say whether the run is in that store: add --run NAME, or --store none for a run in a folder',
    () =>
      '已设置 BATCH_STORE，但没有说明运行是否在这个存储中：请加 --run 名称；若运行在文件夹中，请加 --store none',
  ),
  'refused.shared-rehearsal': both(
    () =>
      'each worker would have an embedded service of its own: start `batch simulate`, and give its address with --base-url',
    () => '这样每个工作进程都会有自己的内置服务：请启动 `batch simulate`，再用 --base-url 给出它的地址',
  ),
  'refused.shared-listen': both(
    () => '--listen is for a run in a folder; the workers of a shared run poll',
    () => '--listen 只用于文件夹中的运行；共享运行的工作进程会自己查询',
  ),
  'refused.shared-reuse': both(
    () => '--reuse is for a run in a folder; in a shared run, videos of other runs are not taken',
    () => '--reuse 只用于文件夹中的运行；共享运行不取用其他运行的视频',
  ),
  'refused.reused-rehearsal': both(
    ({ folder }: { readonly folder: string }) =>
      `--reuse ${folder}: that is a rehearsal, whose videos are play; name the folder of a real run`,
    ({ folder }) => `--reuse ${folder}：那是一次演练，视频不是真的；请指定真实运行的文件夹`,
  ),
  'refused.uncallable': both(
    ({ host, port }: { readonly host: string; readonly port: number }) =>
      `--listen ${host}:${port}: the service cannot call that address; give --public-url URL`,
    ({ host, port }) => `--listen ${host}:${port}：服务无法调用这个地址；请给出 --public-url 网址`,
  ),
  'refused.shell': both(
    ({ shell }: { readonly shell: string }) => `"${shell}" is not a known shell; use bash, zsh or fish`,
    ({ shell }) => `不认识“${shell}”这个 shell；请用 bash、zsh 或 fish`,
  ),
  'refused.value': both(
    ({ option }: OfOption) => `--${option} takes no value; use --${option} alone, or leave it out`,
    ({ option }) => `--${option} 不带值；请只写 --${option}，或去掉它`,
  ),
  'refused.key-option': both(
    () =>
      '--api-key is not an option: others could read the key in the list of processes; set BATCH_API_KEY, or give --api-key-file FILE',
    () => '没有 --api-key 选项：别人能在进程列表中看到密钥；请设置 BATCH_API_KEY，或给出 --api-key-file 文件',
  ),
  'refused.second-file': both(
    ({ file, command, word }: { readonly file: string; readonly command: string; readonly word: string }) =>
      `"${file}" is a second file, and ${command} takes one; \`batch ${command} ${word} --add\` adds its rows to those of the first`,
    ({ file, command, word }) =>
      `“${file}”是第二个文件，而 ${command} 只取一个；用 \`batch ${command} ${word} --add\` 把它的行加到第一个文件的行中`,
  ),
  'refused.port': both(
    ({ failure }: Failed) => `${failure}; choose another --port`,
    ({ failure }) => `无法在这个端口监听（${failure}）；请用 --port 另选端口`,
  ),
  'refused.empty-key': both(
    () => '--api-key is empty; use any word',
    () => '--api-key 是空的；请随便写一个词',
  ),
  'refused.export-name': both(
    () => "--name is empty or was given twice; give it once, such as '{id} {title}'",
    () => "--name 是空的，或给出了两次；请只给一次，例如 '{id} {title}'",
  ),
  'refused.worker-place': both(
    () => 'a worker needs a store and a run: `batch worker --store postgres://... --run NAME`',
    () => '工作进程需要存储和运行：`batch worker --store postgres://... --run 名称`',
  ),
  'refused.worker-run': both(
    () => 'a worker needs a run as well: --run NAME',
    () => '工作进程还需要运行：--run 名称',
  ),
  'refused.open-quote': both(
    ({ option }: OfOption) => `--${option}: a quote has no end; close it`,
    ({ option }) => `--${option}：引号没有结束；请补上`,
  ),
  'refused.empty-command': both(
    ({ option }: OfOption) => `--${option} is empty; use a command such as ./upload.sh`,
    ({ option }) => `--${option} 是空的；请用命令，例如 ./upload.sh`,
  ),
  'refused.unreadable': both(
    ({ path, failure }: Refused) => `${path} cannot be read (${failure})`,
    ({ path, failure }) => `${path} 无法读取（${failure}）`,
  ),
  'refused.report-folder': both(
    () => '--to is empty or was given twice; give the path of one folder',
    () => '--to 是空的，或给出了两次；请给出一个文件夹的路径',
  ),
  'refused.accept-store': both(
    () => '--accept-store is for a shared run; give --store and --run',
    () => '--accept-store 只用于共享运行；请给出 --store 和 --run',
  ),
  'refused.resolve-words': both(
    ({ option }: OfOption) => `too many words; use \`batch resolve [DIR] ${option}\``,
    ({ option }) => `词太多；请用 \`batch resolve [DIR] ${option}\``,
  ),
  'refused.from-and-list': both(
    () => '--from and --list are about many rows; use each of them alone',
    () => '--from 和 --list 都涉及许多行；请各自单独使用',
  ),
  'refused.from': both(
    () => '--from is empty or was given twice; give one CSV file',
    () => '--from 是空的，或给出了两次；请给出一个 CSV 文件',
  ),
  'refused.resolve-which': both(
    () =>
      'which row? Use `batch resolve [DIR] ID --task-id T`; `batch resolve [DIR] --list` lists the uncertain rows',
    () => '哪一行？请用 `batch resolve [DIR] ID --task-id T`；`batch resolve [DIR] --list` 列出待确认的行',
  ),
  'refused.resolve-row-words': both(
    () => 'too many words; use `batch resolve [DIR] ID --task-id T`',
    () => '词太多；请用 `batch resolve [DIR] ID --task-id T`',
  ),
  'refused.resolve-how': both(
    () => 'did the service create the task? Give --task-id T, or --not-created if it did not',
    () => '服务创建任务了吗？请给出 --task-id T；没有创建则用 --not-created',
  ),
  'refused.task-id': both(
    () => '--task-id is empty or was given twice; give the id of one task',
    () => '--task-id 是空的，或给出了两次；请给出一个任务的编号',
  ),
  'refused.whole-number': both(
    ({ option, value }: { readonly option: string; readonly value: string }) =>
      `${option}: ${value} is not valid; use a whole number`,
    ({ option, value }) => `${option}：${value} 无效；请用整数`,
  ),
  'refused.failure-twice': both(
    () => '--failure was given more than once; give it once',
    () => '--failure 给出了不止一次；请只给一次',
  ),
  'refused.prefer-which': both(
    () => 'which video? Give one of --attempt N, --latest and --from FILE',
    () => '哪个视频？请给出 --attempt N、--latest、--from FILE 中的一个',
  ),
  'refused.prefer-words': both(
    () => 'too many words; use `batch prefer [DIR] --from FILE`',
    () => '词太多；请用 `batch prefer [DIR] --from FILE`',
  ),
  'refused.detach': both(
    () => '--detach leaves the work to the workers of a shared run; give --store and --run',
    () => '--detach 把工作留给共享运行的工作进程；请给出 --store 和 --run',
  ),
  'refused.job-twice': both(
    () => '--job was given more than once; give it once',
    () => '--job 给出了不止一次；请只给一次',
  ),
  'refused.empty-job': both(
    () => '--job is empty; use the path of a job file',
    () => '--job 是空的；请给出作业文件的路径',
  ),
  'refused.other-sample': both(
    ({ count, seed }: { readonly count: number; readonly seed: number }) =>
      `this run has a sample: --sample ${count} --seed ${seed} goes on with it; use --limit N for more rows, or leave out --sample for all`,
    ({ count, seed }) =>
      `这次运行已有样本：用 --sample ${count} --seed ${seed} 继续；要更多行请用 --limit N，要全部请去掉 --sample`,
  ),
  'refused.pause-ends': both(
    () => '--for and --until name two ends of the pause; use one of them',
    () => '--for 和 --until 是暂停的两个不同的终点；请只用一个',
  ),
  'refused.no-workers': both(
    () => '--worker names a worker of a shared run; a run in a folder has none',
    () => '--worker 指的是共享运行的工作进程；文件夹中的运行没有',
  ),
  'refused.tune-what': both(
    ({ names }: { readonly names: string }) =>
      `what is to change? Give ${names}; \`batch resume\` takes the other options`,
    ({ names }) => `要调整什么？请给出 ${names}；其他选项用 \`batch resume\``,
  ),
  'refused.fix-and-deep': both(
    () => '--fix and --deep are two steps: first `batch verify --fix`, then `batch verify --deep`',
    () => '--fix 和 --deep 是两步：先 `batch verify --fix`，再 `batch verify --deep`',
  ),
  'refused.reviewer': both(
    () => '--reviewer is empty or was given twice; give one name',
    () => '--reviewer 是空的，或给出了两次；请给出一个名字',
  ),
  'refused.delimiter': both(
    ({ value }: { readonly value: string }) => `--delimiter ${value} is not one character; use , or ; or tab`,
    ({ value }) => `--delimiter ${value} 不是一个字符；请用 , 或 ; 或 tab`,
  ),
  'refused.no-html': both(
    () => '--html text needs the package htmlparser2, which is not installed; `npm install htmlparser2`',
    () => '--html text 需要软件包 htmlparser2，还没有安装；`npm install htmlparser2`',
  ),
  'refused.no-parquet': both(
    () =>
      'Parquet files need the package hyparquet, which is not installed; `npm install hyparquet`, or save the file as JSONL',
    () => 'Parquet 文件需要软件包 hyparquet，还没有安装；`npm install hyparquet`，或把文件存为 JSONL',
  ),
  'refused.no-numfmt': both(
    () =>
      'Excel workbooks need the package numfmt, which is not installed; `npm install numfmt`, or save the sheet as CSV (UTF-8)',
    () => 'Excel 工作簿需要软件包 numfmt，还没有安装；`npm install numfmt`，或把表存为 CSV（UTF-8）',
  ),
  'refused.base-url': both(
    () => '--base-url is not an http(s) address; use one like https://service.example',
    () => '--base-url 不是 http(s) 地址；请用这样的地址：https://service.example',
  ),
  'refused.proxy': both(
    ({ variable }: { readonly variable: string }) =>
      `${variable} is not the address of an http(s) or SOCKS proxy; correct or unset it`,
    ({ variable }) => `${variable} 不是 http(s) 或 SOCKS 代理的地址；请改正或取消设置`,
  ),

  'retry.row-unsendable': both(
    ({ id, failure }: { readonly id: string; readonly failure: string }) =>
      `row ${id} cannot be sent: ${failure}; it stays as it is`,
    ({ id, failure }) => `${id} 无法发送：${failure}；保持原样`,
  ),
  'refused.no-option': both(
    ({ option }: OfOption) => `${option} is not an option; \`batch run --help all\` lists them`,
    ({ option }) => `${option}：没有这个选项；\`batch run --help all\` 列出所有选项`,
  ),
  'refused.near-option': both(
    ({ option, near }: OfOption & Near) => `${option} is not an option; did you mean ${near}?`,
    ({ option, near }) => `${option}：没有这个选项；是不是 ${near}？`,
  ),
  'refused.no-command': both(
    ({ word }: { readonly word: string }) => `"${word}" is not a command; \`batch --help\` lists them`,
    ({ word }) => `“${word}”不是命令；\`batch --help\` 列出所有命令`,
  ),
  'refused.near-command': both(
    ({ word, near }: { readonly word: string } & Near) => `"${word}" is not a command; did you mean ${near}?`,
    ({ word, near }) => `“${word}”不是命令；是不是 ${near}？`,
  ),
  'refused.job-json': both(
    ({ path, above, column }: { readonly path: string; readonly above: number; readonly column: number }) =>
      `${path} cannot be read as a job file: line ${above}, column ${column} is not valid JSON`,
    ({ path, above, column }) => `${path} 无法作为作业文件读取：第 ${above} 行第 ${column} 列不是有效的 JSON`,
  ),
  'refused.unreadable-folder': both(
    ({ path }: Located) =>
      `${path} is not readable by this user; run batch as its owner, or choose another folder`,
    ({ path }) => `当前用户无权读取 ${path}；请以它的所有者运行 batch，或另选文件夹`,
  ),
  'refused.unwritable-folder': both(
    ({ path }: Located) =>
      `${path} is not writable by this user; run batch as its owner, or choose another folder`,
    ({ path }) => `当前用户无权写入 ${path}；请以它的所有者运行 batch，或另选文件夹`,
  ),
  /** `so` is what to do instead. */
  'refused.name-of-run': both(
    ({ path, so }: Located & Instead) =>
      `${path} is a name that a run in that folder writes itself; ${so.en}`,
    ({ path, so }) => `${path} 是那个文件夹中的运行自己要写的文件名；${so.zh}`,
  ),
  'refused.no-file': both(
    ({ path, so }: Located & Instead) => `${path} is not a regular file; ${so.en}`,
    ({ path, so }) => `${path} 不是普通文件；${so.zh}`,
  ),
  'refused.not-ours': both(
    ({ path, so }: Located & Instead) =>
      `${path} holds something that was not written by this command, or was changed since; ${so.en}`,
    ({ path, so }) => `${path} 的内容不是此命令写的，或之后有改动；${so.zh}`,
  ),
  'refused.template': both(
    ({ name, failure }: { readonly name: string; readonly failure: string }) => `--name ${name} ${failure}`,
    ({ name, failure }) => `--name ${name} 无法使用：${failure}`,
  ),
  'refused.prefer-row': both(
    () => 'which row? Use `batch prefer [DIR] ID --attempt N`',
    () => '哪一行？请用 `batch prefer [DIR] ID --attempt N`',
  ),
  'refused.prefer-row-words': both(
    () => 'too many words; Use `batch prefer [DIR] ID --attempt N`',
    () => '词太多；请用 `batch prefer [DIR] ID --attempt N`',
  ),
};

interface Refused {
  readonly failure: string;
  readonly path: string;
}

interface Located {
  readonly path: string;
}

interface OfOption {
  readonly option: string;
}

interface Failed {
  readonly failure: string;
}
