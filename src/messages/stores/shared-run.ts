/** What is said of a run in a database. */

import { both, counted } from '../both.ts';
import { renderNames, renderNamesInChinese, renderNumber } from '../numbers.ts';

interface Place {
  readonly schema: string;
  readonly name: string;
}

interface Versions {
  readonly version: number;
  readonly known: number;
}

interface Named {
  readonly name: string;
}

interface Unanswering {
  readonly failure: string;
  readonly name: string;
}

export const sharedRunMessages = {
  'store.runs': both(
    ({ name, runs }: Named & { readonly runs: readonly string[] }) =>
      runs.length === 0
        ? `${name} has no runs yet`
        : `${name} has ${counted(runs.length, 'run')}: ${renderNames(runs)}`,
    ({ name, runs }) =>
      runs.length === 0
        ? `${name} 中还没有运行`
        : `${name} 中有 ${renderNumber(runs.length)} 个运行：${renderNamesInChinese(runs)}`,
  ),
  'store.no-run': both(
    ({ run, command }: { readonly run: string; readonly command: string }) =>
      `the store has no run "${run}"; start one with \`${command}\``,
    ({ run, command }) => `存储中没有名为“${run}”的运行；请用 \`${command}\` 开始`,
  ),
  'store.has-no-run': both(
    ({ name, run }: { readonly name: string; readonly run: string }) => `${name} has no run ${run}`,
    ({ name, run }) => `${name} 中没有运行 ${run}`,
  ),
  'store.bad-name': both(
    ({ run }: { readonly run: string }) =>
      `${run} cannot name a run; use up to 40 lower-case letters, digits, hyphens and underscores`,
    ({ run }) => `${run} 不能作为运行名称；请用最多 40 个小写字母、数字、连字符和下划线`,
  ),
  'store.long-name': both(
    ({ schema, most }: { readonly schema: string; readonly most: number }) =>
      `the schema name ${schema} is longer than ${most} bytes; use a shorter run name`,
    ({ schema, most }) => `模式名 ${schema} 超过 ${most} 字节；请用更短的运行名称`,
  ),
  'store.no-place': both(
    () =>
      `a new run needs a place for its videos: a folder that all machines see, or s3://BUCKET/PREFIX, with --out`,
    () => '新的运行需要存放视频的地方：请用 --out 给出所有机器都能看到的文件夹，或 s3://BUCKET/PREFIX',
  ),
  'store.place-due': both(
    ({ run }: { readonly run: string }) =>
      `run "${run}" has no place for its videos yet; \`batch run FILE --out DIR\` makes it`,
    ({ run }) => `运行“${run}”还没有存放视频的地方；用 \`batch run FILE --out DIR\` 建立`,
  ),
  'store.other-place': both(
    ({ run, place }: { readonly run: string; readonly place: string }) =>
      `the videos of run "${run}" are in ${place}; leave out --out`,
    ({ run, place }) => `运行“${run}”的视频在 ${place}；请去掉 --out`,
  ),
  'store.other-service': both(
    ({ service, address }: { readonly service: string; readonly address: string }) =>
      `the service of this run is ${service}, not ${address}; leave out --base-url`,
    ({ service, address }) => `这个运行的服务是 ${service}，不是 ${address}；请去掉 --base-url`,
  ),
  'store.other-key': both(
    () =>
      'this is another API key than that of the run, and not of the account that has its tasks; use a key of that account on all machines',
    () => '这个 API 密钥与运行的不同，也不属于拥有其任务的账号；请在所有机器上使用该账号的密钥',
  ),
  'store.unknown-key': both(
    ({ failure }: Pick<Unanswering, 'failure'>) =>
      `this is another API key than that of the run, and the service did not say whether it is of the same account (${failure}); run the same command again`,
    ({ failure }) =>
      `这个 API 密钥与运行的不同，而服务没有说明它是否属于同一账号（${failure}）；请再次运行同一命令`,
  ),
  'store.same-name': both(
    ({ name }: Named) => `${name} holds another run of this name; choose another --run`,
    ({ name }) => `${name} 中已有另一个同名的运行；请另选 --run`,
  ),
  'store.run-removed': both(
    ({ name }: Named) =>
      `the run in ${name} was removed, or another one is in its place; the same command again shows what is there now`,
    ({ name }) => `${name} 中的运行已被删除，或被另一个取代；再次运行同一命令即可看到那里现在的内容`,
  ),
  'store.moves': both(
    ({ place }: { readonly place: string }) =>
      `this run moves, or has moved: \`batch resume ${place}\` goes on with it`,
    ({ place }) => `这个运行正在迁移，或已迁走：用 \`batch resume ${place}\` 继续`,
  ),
  'store.other-version': both(
    ({ schema, name }: { readonly schema: string; readonly name: string }) =>
      `the schema ${schema} in ${name} was made by another version of batch, or by another program; choose another --run`,
    ({ schema, name }) => `${name} 中的模式 ${schema} 由另一个版本的 batch 或其他程序建立；请另选 --run`,
  ),
  'store.other-tables': both(
    ({ schema, name }: { readonly schema: string; readonly name: string }) =>
      `the schema ${schema} in ${name} holds the tables of another program; choose another --run`,
    ({ schema, name }) => `${name} 中的模式 ${schema} 存有其他程序的表；请另选 --run`,
  ),
  'store.newer-run': both(
    ({ schema, name, version, known }: Place & Versions) =>
      `the run ${schema} in ${name} is of a newer version of batch (schema ${version}, this one knows ${known}); update batch`,
    ({ schema, name, version, known }) =>
      `${name} 中的运行 ${schema} 来自更新版本的 batch（结构版本 ${version}，本版本只认识到 ${known}）；请更新 batch`,
  ),
  'store.damaged-run': both(
    ({ name, failure }: Unanswering) => `the run in ${name} is damaged (${failure}); nothing was sent`,
    ({ name, failure }) => `${name} 中的运行已损坏（${failure}）；没有发送任何内容`,
  ),
  'store.run-text-damaged': both(
    ({ name }: Named) => `the run in ${name} is damaged (a saved text is not whole)`,
    ({ name }) => `${name} 中的运行已损坏（有一段保存的文字不完整）`,
  ),
  'store.unsound': both(
    ({ schema, name, row, detail }: Place & { readonly row: string; readonly detail: string }) =>
      `the run ${schema} in ${name} is damaged (${row} ${detail}); nothing was sent. Restore the database from its newest copy`,
    ({ schema, name, row, detail }) =>
      `${name} 中的运行 ${schema} 已损坏（${row} ${detail}）；没有发送任何内容。请用最新的副本恢复数据库`,
  ),
  'store.rows-changed': both(
    ({ line, problem }: { readonly line: number | null; readonly problem: string }) =>
      `another process changed the rows of the run while the file was read: line ${line}: ${problem}; nothing was imported`,
    ({ line, problem }) =>
      `读取文件期间，另一个进程更改了运行的各行：第 ${line} 行：${problem}；没有读入任何内容`,
  ),
  'store.ids-changed': both(
    () =>
      'another process changed the rows of the run while the file was read, and the ids may belong to other rows now; nothing was imported: run the same command again',
    () =>
      '读取文件期间，另一个进程更改了运行的各行，编号现在可能属于别的行；没有读入任何内容：请再次运行同一命令',
  ),
  'store.plan-changed': both(
    () =>
      'another command changed the rows of the run while this plan was shown; nothing was imported: run the same command again',
    () => '显示计划期间，另一个命令更改了运行的各行；没有读入任何内容：请再次运行同一命令',
  ),
  'store.workers': both(
    () => 'other processes work on this run; stop them, then run the same command again',
    () => '其他进程正在这个运行中工作；请停止它们，再运行同一命令',
  ),
  'store.submitting': both(
    () => 'the service may still answer a creation; run the same command again in a minute',
    () => '服务可能还会答复一次提交；请一分钟后再运行同一命令',
  ),
};
