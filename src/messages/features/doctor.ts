/** What `batch doctor` says of a machine, a folder and an account; after a semicolon stands what to do. */

import { both, counted } from '../both.ts';
import { renderNumber } from '../numbers.ts';

interface InFolder {
  readonly folder: string;
}

interface Away {
  readonly path: string;
  /** The folder of the run, as it is typed. */
  readonly out: string;
}

export const doctorMessages = {
  'doctor.version': both(
    ({
      version,
      node,
      system,
    }: {
      readonly version: string;
      readonly node: string;
      readonly system: string;
    }) => `batch ${version}, Node.js ${node}, ${system}`,
    ({ version, node, system }) => `版本：batch ${version}，Node.js ${node}，${system}`,
  ),
  'doctor.writable': both(
    ({ folder }: InFolder) => `${folder} can be read and written`,
    ({ folder }) => `${folder} 可读可写`,
  ),
  'doctor.makeable': both(
    ({ folder }: InFolder) => `${folder} does not exist yet, and can be made`,
    ({ folder }) => `${folder} 尚不存在，可以创建`,
  ),
  'doctor.unwritable': both(
    ({ folder, failure }: InFolder & { readonly failure: string }) =>
      `${folder} cannot be written (${failure}); get permission for it, or choose another folder`,
    ({ folder, failure }) => `${folder} 无法写入（${failure}）；请取得权限，或另选文件夹`,
  ),
  'doctor.unmakeable': both(
    ({ folder, failure }: InFolder & { readonly failure: string }) =>
      `${folder} cannot be made (${failure}); get permission for the folder above it, or choose another one`,
    ({ folder, failure }) => `${folder} 无法创建（${failure}）；请取得上层文件夹的权限，或另选文件夹`,
  ),
  'doctor.room': both(
    ({ size }: { readonly size: string }) => `${size} free on its disk`,
    ({ size }) => `所在磁盘剩余 ${size}`,
  ),
  'doctor.little-room': both(
    ({ size }: { readonly size: string }) =>
      `only ${size} free on its disk; free space, or choose a folder on another disk`,
    ({ size }) => `所在磁盘只剩 ${size}；请腾出空间，或另选其他磁盘上的文件夹`,
  ),
  'doctor.disk': both(
    () => 'its disk has locks, shared memory and syncs of folders',
    () => '所在磁盘支持文件锁、共享内存和文件夹同步',
  ),
  'doctor.network-disk': both(
    ({ disk }: { readonly disk: string }) =>
      `the folder is on a network file system (${disk}), where the lock may not prevent a second run; run only one at a time, on all machines`,
    ({ disk }) => `文件夹在网络文件系统（${disk}）上，锁可能挡不住第二个运行；所有机器上一次只运行一个`,
  ),
  'doctor.synced': both(
    ({ program }: { readonly program: string }) =>
      `the folder is synced by ${program}, which may replace files that a run has open; pause it while the run goes`,
    ({ program }) => `文件夹由 ${program} 同步，它可能替换运行中打开的文件；运行期间请暂停同步`,
  ),
  'doctor.local': both(
    () => 'the folder is on a local disk, and no known program syncs it',
    () => '文件夹在本地磁盘上，没有已知的同步程序',
  ),
  'doctor.free': both(
    () => 'no other process works in the folder',
    () => '没有其他进程在使用此文件夹',
  ),
  'doctor.no-checkpoint': both(
    () => 'no run in the folder yet',
    () => '文件夹中还没有运行',
  ),
  'doctor.checkpoint': both(
    ({ count, completed }: { readonly count: number; readonly completed: number }) =>
      `the checkpoint opens and is sound: ${counted(count, 'row')}, ${renderNumber(completed)} completed`,
    ({ count, completed }) =>
      `检查点可以打开，完好：${renderNumber(count)} 行，已完成 ${renderNumber(completed)} 行`,
  ),
  'doctor.same-place': both(
    () => 'the folder is where its run last went',
    () => '文件夹仍在上次运行的位置',
  ),
  'doctor.input': both(
    () => 'the file of the questions is where it was',
    () => '题目文件仍在原处',
  ),
  'doctor.no-input': both(
    ({ path, out }: Away) =>
      `the file of the questions is not there any more: ${path}; \`batch resume ${out}\` goes on without it, \`batch run FILE --out ${out}\` reads it in its new place`,
    ({ path, out }) =>
      `题目文件已不在原处：${path}；\`batch resume ${out}\` 不需要它，\`batch run FILE --out ${out}\` 从新位置读取`,
  ),
  'doctor.pictures': both(
    () => 'the pictures of waiting rows are where they were',
    () => '等待中的行的图片仍在原处',
  ),
  'doctor.no-pictures': both(
    ({ count, path, out }: Away & { readonly count: number }) =>
      `${counted(count, 'waiting row')} without a picture that was there, such as ${path}; put the folder back, or \`batch run FILE --out ${out}\` with the file and its pictures in their new place`,
    ({ count, path, out }) =>
      `${renderNumber(count)} 行等待中的题目缺少原有的图片，如 ${path}；请放回文件夹，或在新位置连同图片运行 \`batch run FILE --out ${out}\``,
  ),
  'doctor.reuse': both(
    () => 'the runs whose videos are taken are there',
    () => '取用其视频的各次运行都在',
  ),
  'doctor.no-reuse': both(
    ({ folder, out }: InFolder & { readonly out: string }) =>
      `--reuse ${folder}: there is no run any more; \`batch resume ${out} --reuse DIR\` names its new place, \`--reuse none\` takes no videos`,
    ({ folder, out }) =>
      `--reuse ${folder}：那里已没有运行；\`batch resume ${out} --reuse DIR\` 指定新位置，\`--reuse none\` 不再取用`,
  ),
  'doctor.unchecked': both(
    ({ failure }: { readonly failure: string }) =>
      `the checkpoint was not looked into: no copy could be made of it (${failure}); \`batch status\` reads it where it is`,
    ({ failure }) => `没有查看检查点：无法复制它（${failure}）；\`batch status\` 会在原处读取`,
  ),
  'doctor.no-other-runs': both(
    () => 'no other runs in folders below',
    () => '下层文件夹中没有其他运行',
  ),
  'doctor.other-runs': both(
    ({ names }: { readonly names: string }) => `other runs in folders below: ${names}`,
    ({ names }) => `下层文件夹中另有运行：${names}`,
  ),
  'doctor.rehearsal': both(
    () => 'a rehearsal (--simulate) needs no address and no key',
    () => '演练（--simulate）不需要地址和密钥',
  ),
  'doctor.address': both(
    ({ address }: { readonly address: string }) => `${address} answers as the service does`,
    ({ address }) => `${address} 的答复与该服务相符`,
  ),
  'doctor.address-unasked': both(
    ({ address }: { readonly address: string }) => `the service at ${address} was not asked`,
    ({ address }) => `没有询问 ${address} 上的服务`,
  ),
  'doctor.key': both(
    () => 'the service takes the API key',
    () => '服务接受 API 密钥',
  ),
  'doctor.key-unasked': both(
    () => 'there is an API key; whether the service takes it is not known yet',
    () => '有 API 密钥；服务是否接受尚不可知',
  ),
  'doctor.top-up': both(
    () => 'add points to the account',
    () => '请给账号充积分',
  ),
  'doctor.permit': both(
    () => 'use a key that may create videos',
    () => '请使用有权创建视频的密钥',
  ),
  'doctor.no-proxy': both(
    () => 'no proxy on the way to the service',
    () => '到服务之间没有代理服务器',
  ),
  'doctor.proxy': both(
    ({ variable, host }: { readonly variable: string; readonly host: string }) =>
      `the way to the service goes through the proxy of ${variable}, ${host}`,
    ({ variable, host }) => `经由 ${variable} 中的代理服务器 ${host} 到达服务`,
  ),
  'doctor.clock': both(
    () => 'the clock agrees with that of the service',
    () => '本机时钟与服务一致',
  ),
  'doctor.clock-off': both(
    ({ minutes, off }: { readonly minutes: number; readonly off: keyof typeof offs }) =>
      `the clock of this machine is ${minutes} minutes ${offs[off].en} that of the service; let the system set it`,
    ({ minutes, off }) => `本机时钟比服务${offs[off].zh} ${minutes} 分钟；请让系统自动校时`,
  ),
  'doctor.ffmpeg': both(
    () => 'ffmpeg is installed',
    () => '已安装 ffmpeg',
  ),
  'doctor.no-ffmpeg': both(
    () => '`batch verify --deep` does not see black pictures and silence; install ffmpeg for that',
    () => '`batch verify --deep` 查不出黑屏和无声；需要时请安装 ffmpeg',
  ),
  'doctor.fonts': both(
    () => 'the videos of a rehearsal show Chinese text',
    () => '演练的视频能显示中文',
  ),
  'doctor.no-fonts': both(
    () =>
      'the videos of a rehearsal show boxes in place of Chinese text; install a font such as Noto Sans CJK',
    () => '演练的视频会把中文显示成方框；请安装 Noto Sans CJK 之类的字体',
  ),
  'doctor.no-canvas': both(
    () => 'a rehearsal cannot draw its videos; `npm install` without --omit=optional adds @napi-rs/canvas',
    () => '演练无法绘制视频；不带 --omit=optional 的 `npm install` 会装上 @napi-rs/canvas',
  ),
  'doctor.no-terminal': both(
    () => 'the output goes to a file or another program, as UTF-8',
    () => '输出到文件或其他程序，编码为 UTF-8',
  ),
  'doctor.terminal': both(
    ({ width }: { readonly width: number }) => `the terminal takes UTF-8 and has ${width} columns`,
    ({ width }) => `终端为 UTF-8，宽 ${width} 列`,
  ),
  'doctor.narrow': both(
    ({ width }: { readonly width: number }) =>
      `the terminal has only ${width} columns; make it wider, so that lines are not cut`,
    ({ width }) => `终端只有 ${width} 列；请拉宽窗口，以免行被截断`,
  ),
  'doctor.not-utf8': both(
    ({ variable, encoding }: { readonly variable: string; readonly encoding: string }) =>
      `the terminal may not take UTF-8 (${variable}=${encoding}); set it to a UTF-8 locale, such as C.UTF-8`,
    ({ variable, encoding }) =>
      `终端可能不是 UTF-8（${variable}=${encoding}）；请设为 UTF-8 区域，例如 C.UTF-8`,
  ),
};

const offs = {
  ahead: { en: 'ahead of', zh: '快' },
  behind: { en: 'behind', zh: '慢' },
} as const;
