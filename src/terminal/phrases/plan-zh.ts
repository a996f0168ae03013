/** What is said before anything is sent, in Chinese. */

import { placeInChinese } from '../../messages/input.ts';
import { renderNumber } from '../../messages/numbers.ts';
import { listed, chinese as measures } from './measures-zh.ts';
import type { english, SaidReach } from './plan.ts';

const { rows, points } = measures;

const reach = ({ spent, reserved }: SaidReach): string =>
  `已用 ${points(spent)}${reserved === 0 ? '' : `，另预留 ${renderNumber(reserved)}`}`;

const someOf = (count: number, ids: readonly string[]): string =>
  `${ids.join('、')}${count > ids.length ? '……' : ''}`;

export const chinese: typeof english = {
  heading: (file, count, kind, encoding) =>
    [`${file}：${rows(count)}`, kind, ...(encoding === null ? [] : [encoding])].join('，'),
  plan: (shares) => `计划：${shares}`,
  shares: (shares) => shares.join('；'),
  toSubmit: (count) => `提交 ${rows(count)}`,
  someToSubmit: (count, all, option) => `现在提交 ${renderNumber(all)} 行中的 ${rows(count)}（${option}）`,
  submitted: (toSubmit, kinds) => (kinds === '' ? toSubmit : `${toSubmit}：${kinds}`),
  newRows: '新增',
  waiting: '等待中',
  changed: '有改动',
  rerun: '重新付费',
  done: '已完成',
  gone: '已不在文件中',
  unsendable: '无法提交',

  images: (count, images, kinds) => `${rows(count)}有图片，共 ${renderNumber(images)} 幅：${kinds}`,
  inFiles: (count) => `文件 ${renderNumber(count)}`,
  inRows: (count) => `直接写在行中 ${renderNumber(count)}`,
  inCells: (count) => `单元格中 ${renderNumber(count)}`,
  addresses: (count) => `网址 ${renderNumber(count)}`,
  twins: (count) => `警告：${rows(count)}没有编号，且与另一行一字不差；每行都算一道单独的题目，都要付费`,
  repeats: (count, cost, folder) =>
    `警告：${rows(count)}与前面某行发送的内容相同，会重复付费${cost === null ? '' : `，约 ${points(cost)}`}${folder === '' ? '' : `；加 \`--reuse ${folder}\` 则每道题只付费一次`}`,
  reuse: (count, held, saved) =>
    `取用：${rows(count)}取用已有视频${saved === null || count === 0 ? '' : `，约省 ${points(saved)}`}${held === 0 ? '' : `；${rows(held)}等待其他行的视频`}`,
  elsewhere: (made, doubtful, folder) => {
    const parts = [
      ...(made === 0 ? [] : [`${rows(made)}正在 ${folder} 中制作`]),
      ...(doubtful === 0 ? [] : [`${rows(doubtful)}可能已在 ${folder} 中付费`]),
    ];
    return `${parts.join('，')}：现在不提交；视频做好后，用同一命令即可取用；要另行付费请用 \`--reuse none\``;
  },
  paidTwice: (count, folder) =>
    `警告：要重做的行中有${rows(count)}，同一题目的另一行已有视频，仍会付费；加 \`--reuse ${folder}\` 则以 0 积分取用那个视频`,
  repictured: (count) => `${rows(count)}的图片内容变了而文件名未变：算作有改动的行或新行`,
  askedBefore: (count) =>
    `警告：新增的行中有${rows(count)}，题目与已提交而已不在文件中的行相同，但答案、图片、清晰度或通知地址不同：算作新行，都要付费`,
  renumbered: (count, names) =>
    `${rows(count)}换了编号，已有的结果保留：${names.map(([was, id]) => `${was} 改为 ${id}`).join('、')}${count > names.length ? '……' : ''}`,
  paidAgain: (count, ids) =>
    `${rows(count)}提交后有改动，将重新付费（--rerun-changed）：${someOf(count, ids)}`,
  keepResult: (count, ids) => `警告：${rows(count)}提交后有改动，保留原来的结果：${someOf(count, ids)}`,
  mendedAway: (count, ids, command) =>
    `警告：${rows(count)}失败的题目不在此表中，而表中的新内容没有行的标识：视为已在表中改正，不再重做：${someOf(count, ids)}；用全部题目的文件运行 \`${command}\` 可以找回`,
  payAgain: (count, rerun, retry) =>
    `；要按新内容重新付费，用${rerun}${count === 1 ? '' : `；只重做其中几行，用 \`${retry}\``}`,
  rerunCommand: (command) =>
    command === null ? '同一命令加 --rerun-changed' : ` \`${command} --rerun-changed\``,
  pilotCommand: (command, option) => `${command ?? '同一命令加'} ${option}`,

  firstRow: (place) => (place === null ? '第一行' : `可提交的第一行（${placeInChinese(place)}）`),
  firstRowIs: (which, parts) => `${which}：${parts.join('，')}`,
  noText: '没有文字',
  id: (id) => `编号 ${id}`,
  question: (text) => `题目“${text}”`,
  answer: (text) => `答案“${text}”`,
  quality: (quality) => `清晰度 ${quality}`,
  rowImages: (count, names) => `${renderNumber(count)} 幅图片：${names.join('、')}`,
  moreImages: (count) => `另有 ${renderNumber(count)} 幅`,
  imageKinds: { file: '文件', inline: '直接写在行中', kept: '单元格中', url: '网址' },
  image: (kind, name, size) =>
    `${kind}${name === null ? '' : ` ${name}`}${size === null ? '' : `（${size}）`}`,

  nothingToSubmit: '估算：无需提交，0 积分',
  alike: (count) => `  其中 ${rows(count)}曾与其他行因同一原因被拒：服务恢复接受提交后会再提交一次`,
  estimate: ({ amount, rows: count, basis, isRehearsal, pilot }) => {
    const known = count === null ? `${amount}；` : `${rows(count)}共 ${amount}，`;
    const said = amount === null ? '未知，' : known;
    const play = isRehearsal ? '；演练用的是练习积分' : '';
    return `估算：${said}${basis}${play}${pilot === null ? '' : `。先试几题：${pilot}`}`;
  },
  unknownAmount: '数量未知的积分',
  amount: (count, isMost) => `${isMost ? '最多' : ''}约 ${points(count)}`,
  range: (low, high) => (low === high ? points(low) : `${renderNumber(low)} 至 ${points(high)}`),
  rangeBasis: (videos, byQuality, byLength) => {
    const by = listed([...(byQuality ? ['清晰度'] : []), ...(byLength ? ['题目长度'] : [])]);
    return `根据 ${renderNumber(videos)} 个视频${by === '' ? '' : `，按${by}`}`;
  },
  basisOfNothing: '无需提交',
  basisUnpaid: (qualities) =>
    `此文件夹中还没有付费的${qualities.length === 0 ? '' : ` ${qualities.join('、')} 清晰度`}视频`,
  basisPart: (count, { qualities, each, isOne }) => {
    const which = qualities.length === 0 ? '' : `（${qualities.join('，')}）`;
    return `${rows(count)}${which}${isOne && count === 1 ? '' : '每行'} ${points(each)}`;
  },
  basis: (parts, charged) => {
    const price =
      charged === 1 ? '依据唯一一个视频的价格' : `依据 ${renderNumber(charged)} 个视频中同清晰度的最高价格`;
    return `${parts.join('，')}，${price}`;
  },
  capChange: (from, to) => {
    if (to === null) return '  取消上限';
    if (from === null) return `  运行原先没有上限；今后为 ${points(to)}`;
    return `  上限从 ${renderNumber(from)} ${to > from ? '提高' : '降低'}到 ${points(to)}`;
  },
  capSpent: (cap, spent) => `${cap}：已用 ${points(spent)}`,
  capOneByOne: (cap, qualities) =>
    `${cap}：${qualities.length === 0 ? '' : `清晰度 ${qualities.join('、')} 的`}第一行的价格可知之前，${qualities.length === 0 ? '' : '这些行'}逐行提交`,
  capEnough: ({ cap }) => `${cap} 足够`,
  capNoRoom: (said) => `${said.cap} 已不够再提交一行：${reach(said)}`,
  capCovers: (said, count) => `${said.cap} 约够其中 ${rows(count)}：${reach(said)}`,
  capPassed: (tasks, most) =>
    most === null
      ? '  只有第一行的价格，或以后高于此前所有价格的部分，才可能使它超出'
      : `  只有当时同时进行的任务（最多 ${tasks} 个）价格高于目前最高的 ${points(most)}的部分，才可能使它超出`,

  submit: (count, amount, isRehearsal) =>
    `提交 ${rows(count)}，${amount}${isRehearsal ? '（演练：练习积分）' : ''}？`,
  service: (address) => `服务地址：${address}`,
  sendKey: ({ address, from }) =>
    `地址 ${address} 来自 ${from}，您在本机尚未使用过它。要向它发送您的密钥吗？`,
  continueHere: '另一个文件夹中确实没有运行，要在这里继续吗？',
  fetchAll: '全部重新下载吗？',
  noneInAccount: '您已在账号中查过，确实没有这些行的任务吗？',
  yesOrNo: (question) => `${question}[y/N] `,
  yes: /^(y(es)?|是|好|是的|好的)$/i,
  nothingSubmitted: '没有提交任何内容。',
  nothingFetched: '没有改动任何内容；请先挂载磁盘，或用 --yes 全部重新下载',

  rehearsalAccount: '账号：这是演练（--simulate），不需要账号',
  account: (said, ms) => `账号：${said}（免费查询，${renderNumber(ms)} 毫秒）`,
  accounts: {
    good: (address) => `正常：${address} 的答复与该服务相符，并接受 API 密钥`,
    odd: (address, failure) =>
      `不能确定：${address} 可能不是该服务；查询一个不可能存在的任务，得到的答复是“${failure}”`,
    'wrong-service': (address, failure) => `地址不对：${address} 不是该服务：${failure}；请改正 --base-url`,
    'no-host': (_, failure) => `没有这台主机：${failure}`,
    tls: (_, failure) => `无法建立安全连接（TLS）：${failure}`,
    proxy: (_, failure) => `被代理服务器阻挡：${failure}`,
    misconfigured: (_, failure) => `无法发出请求：${failure}`,
    'key-refused': (address, failure) =>
      `${address} 拒绝了 API 密钥：${failure}；请在 BATCH_API_KEY 或 --api-key-file 中设置有效的密钥`,
    'no-points': (address, failure) => `${address} 称账号积分已用完：${failure}`,
    'key-forbidden': (address, failure) => `${address} 称 API 密钥权限不足：${failure}`,
    unreachable: (_, failure) => `没有答复：${failure}`,
  },
};
