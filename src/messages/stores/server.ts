/** What is said of the server whose database machines share, and of the connection to it. */

import { both } from '../both.ts';

interface Named {
  readonly name: string;
}

interface Unanswering {
  readonly failure: string;
  readonly name: string;
}

interface Holder {
  readonly program: string;
  readonly pid: number;
  readonly time: string;
}

interface OfJobs {
  readonly schema: string;
  readonly failure: string;
}

export const serverMessages = {
  'store.no-packages': both(
    ({ command }: { readonly command: string }) =>
      `--store needs packages that are not installed: \`${command}\`, with -g where batch is installed with it`,
    ({ command }) => `--store 需要的软件包还没有安装：\`${command}\`；batch 是用 -g 安装的，这里也加 -g`,
  ),
  'store.no-pg': both(
    () => 'a shared run needs the packages pg and pg-boss; install them with `npm install pg pg-boss`',
    () => '共享运行需要软件包 pg 和 pg-boss；请用 `npm install pg pg-boss` 安装',
  ),
  'store.no-address': both(
    () =>
      'the store is no address of PostgreSQL; write postgres://USER@HOST/DATABASE, and %2F, %3F, %23, %25 and %40 for /, ?, #, % and @ in a name or password',
    () =>
      '存储不是 PostgreSQL 地址；请写 postgres://USER@HOST/DATABASE；名称或密码中的 /、?、#、%、@ 请写成 %2F、%3F、%23、%25、%40',
  ),
  'store.sslmode': both(
    ({ mode }: { readonly mode: string }) =>
      `sslmode ${mode} is unknown; choose disable, require, verify-ca or verify-full`,
    ({ mode }) => `不认识 sslmode ${mode}；请选 disable、require、verify-ca 或 verify-full`,
  ),
  'store.no-tls': both(
    ({ name, failure }: Unanswering) =>
      `${name} cannot be reached by the sslmode asked for (${failure}); choose another one, or name the certificate with sslrootcert`,
    ({ name, failure }) =>
      `无法以所要求的 sslmode 连接 ${name}（${failure}）；请另选一种，或用 sslrootcert 指明证书`,
  ),
  'store.no-password': both(
    ({ name }: Named) => `${name} wants a password; put it into ~/.pgpass or PGPASSWORD`,
    ({ name }) => `${name} 要求密码；请写在 ~/.pgpass 或 PGPASSWORD 中`,
  ),
  'store.pooler': both(
    ({ name }: Named) =>
      `${name} is a connection pooler that does not keep the sessions of a run; name the server itself, or a pool in session mode that passes on search_path`,
    ({ name }) =>
      `${name} 是连接池，不保持运行所需的会话；请给出服务器本身，或会传递 search_path 的会话模式连接池`,
  ),
  'store.no-permission': both(
    ({ name, failure }: Unanswering) =>
      `${name} lacks a permission (${failure}); ask for it, then run the same command again`,
    ({ name, failure }) => `${name} 缺少权限（${failure}）；请取得权限，再运行同一命令`,
  ),
  'store.refuses': both(
    ({ name, failure }: Unanswering) => `${name} refuses: ${failure}`,
    ({ name, failure }) => `${name} 拒绝：${failure}`,
  ),
  'store.read-only': both(
    ({ name, failure }: Unanswering) =>
      `${name} can only be read (${failure}); name the server that can be written`,
    ({ name, failure }) => `${name} 只能读取（${failure}）；请给出可以写入的服务器`,
  ),
  'store.old-server': both(
    ({
      server,
      version,
      least,
    }: {
      readonly server: string;
      readonly version: string;
      readonly least: string;
    }) => `${server} is PostgreSQL ${version}; batch needs ${least} or newer`,
    ({ server, version, least }) => `${server} 是 PostgreSQL ${version}；batch 需要 ${least} 或更新版本`,
  ),
  'store.encoding': both(
    ({ name, encoding }: { readonly name: string; readonly encoding: string }) =>
      `${name} is a database in ${encoding}, which cannot keep every text; make one with \`createdb --encoding=UTF8 --template=template0\``,
    ({ name, encoding }) =>
      `${name} 是 ${encoding} 编码的数据库，无法保存所有文字；请用 \`createdb --encoding=UTF8 --template=template0\` 建立一个`,
  ),
  'store.not-durable': both(
    ({ name, settings }: { readonly name: string; readonly settings: string }) =>
      `${name} runs with ${settings} off: a power cut would make it forget what was paid for; switch it on`,
    ({ name, settings }) => `${name} 关闭了 ${settings}：断电会使它忘记已付费的内容；请打开`,
  ),
  'store.broke-off': both(
    ({ name, failure }: Unanswering) =>
      `${name} broke off (${failure}) while the file was read; nothing of it was imported: run the same command again`,
    ({ name, failure }) => `${name} 在读取文件时断开（${failure}）；没有读入任何内容：请再次运行同一命令`,
  ),
  'store.away': both(
    ({ name, failure }: Unanswering) =>
      `${name} does not answer (${failure}); whatever was saved is saved, the same command goes on from there`,
    ({ name, failure }) => `${name} 没有答复（${failure}）；已保存的都在，再次运行同一命令即可继续`,
  ),
  'store.held': both(
    ({ program, pid, time }: Holder) =>
      `waiting for ${program === '' ? 'a program' : program} (process ${pid} of the database server), which holds a lock since ${time}; end its transaction`,
    ({ program, pid, time }) =>
      `正在等待${program === '' ? '某个程序' : ` ${program} `}（数据库服务器进程 ${pid}），它自 ${time} 起占着锁；请结束它的事务`,
  ),
  'store.busy': both(
    ({ name, failure }: Unanswering) =>
      `${name} is busy (${failure}); whatever was saved is saved, the same command goes on from there`,
    ({ name, failure }) => `${name} 正忙（${failure}）；已保存的都在，再次运行同一命令即可继续`,
  ),
  'store.no-jobs': both(
    ({ schema, failure }: OfJobs) => `the jobs of the run in schema ${schema} cannot be opened: ${failure}`,
    ({ schema, failure }) => `模式 ${schema} 中运行的任务队列无法打开：${failure}`,
  ),
  'store.jobs-forbidden': both(
    ({ schema, failure }: OfJobs) =>
      `the jobs of the run in schema ${schema} cannot be opened: ${failure}; ask for the permission, then run the same command again`,
    ({ schema, failure }) =>
      `模式 ${schema} 中运行的任务队列无法打开：${failure}；请取得权限，再运行同一命令`,
  ),
};
