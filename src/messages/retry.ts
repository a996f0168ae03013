/** What `batch retry` says of the rows it is asked about. */

import type { Quality, Status } from '../money/item.ts';
import { statusNames } from '../text/status-names.ts';
import { both, counted, type Words } from './both.ts';
import { renderNames, renderNamesInChinese, renderNumber, renderPoints, renderRows } from './numbers.ts';

interface Named {
  readonly ids: readonly string[];
}

interface OfRow {
  readonly id: string;
}

interface Ended extends OfRow {
  readonly why: 'changed' | 'bad';
}

interface InQuality {
  readonly quality: Quality;
}

interface Counted {
  readonly count: number;
}

const whyEnded: Readonly<Record<Ended['why'], Words>> = {
  changed: { en: 'its text in the file is another one now', zh: '文件中的内容已改动' },
  bad: { en: 'its draft is marked bad', zh: '草稿已标记为“差”' },
};

/** A notice about rows, which are counted and named. */
function ofRows(english: string, chinese: (count: string) => string) {
  return both(
    ({ ids }: Named) => `${renderRows(ids.length)} ${english}: ${renderNames(ids)}`,
    ({ ids }) => `${chinese(`${renderNumber(ids.length)} 行`)}：${renderNamesInChinese(ids)}`,
  );
}

/** A notice about rows, which are only counted. */
function ofCount(english: string, chinese: (count: string) => string) {
  return both(
    ({ count }: Counted) => `${renderRows(count)} ${english}`,
    ({ count }) => chinese(`${renderNumber(count)} 行`),
  );
}

export const retryMessages = {
  'retry.choose': both(
    () => 'choose rows with --failed, --rejected, --lost, --marked, --good, or --only ID,ID',
    () => '请用 --failed、--rejected、--lost、--marked、--good 或 --only ID,ID 选择行',
  ),
  'retry.failure-narrows': both(
    () => '--failure narrows a choice of rows down: add --failed, --rejected or --lost',
    () => '--failure 用来缩小范围：请加上 --failed、--rejected 或 --lost',
  ),
  'retry.failure-empty': both(
    () => '--failure is empty; use a part of the text in report.csv',
    () => '--failure 是空的；请给出 report.csv 中文字的一部分',
  ),
  'retry.unsent-alone': both(
    () => '--unsent N names all its rows; leave out the other choices of rows',
    () => '--unsent N 已指定全部行；请去掉其他行选择',
  ),
  'retry.attempt-with-only': both(
    () => '--attempt N goes with --only ID,ID',
    () => '--attempt N 须与 --only ID,ID 一起使用',
  ),
  'retry.marked-alone': both(
    () => '--marked and --only both name rows; use one of them',
    () => '--marked 和 --only 都指定行；请只用一个',
  ),
  'retry.good-needs-quality': both(
    () => '--good needs --quality h, m or l: in which quality the good ones are made once more',
    () => '--good 需要 --quality h、m 或 l：好的视频以哪种清晰度重新制作',
  ),
  'retry.good-needs-marks': both(
    () =>
      '--good takes marks: those saved with the run, or those of --only @marks.csv; typed ids do not say that anybody watched the videos',
    () =>
      '--good 只看标记：随运行保存的标记，或 --only @marks.csv 中的标记；直接写出的编号不能说明有人看过视频',
  ),
  'retry.good-alone': both(
    () => '--good chooses the rows by their marks; leave out the other choices of rows',
    () => '--good 按标记选择行；请去掉其他行选择',
  ),
  'retry.until-alone': both(
    () => '--until N goes with --failed, --rejected or --lost alone',
    () => '--until N 只能与 --failed、--rejected 或 --lost 一起使用',
  ),
  'retry.no-such-failure': both(
    ({ which, failure }: { readonly which: string; readonly failure: string }) =>
      `--failure: no ${which} row of the file has the failure ${failure}; \`batch status\` lists the failures`,
    ({ which, failure }) =>
      `--failure：文件中没有失败原因为 ${failure} 的行（${which}）；\`batch status\` 列出了原因`,
  ),
  'retry.nothing-left': both(
    () => '--only: nothing is left to retry',
    () => '--only：没有可重做的行',
  ),
  'retry.nothing-marked': both(
    () =>
      '--marked: of the marks saved with this run none asks for a retry; `batch view --review` saves them',
    () => '--marked：本次运行保存的标记中没有需要重做的行；`batch view --review` 会保存标记',
  ),
  'retry.nothing-good': both(
    () =>
      '--good: no video that stands for its row is marked good and waits for a final; `batch view --review` saves marks',
    () => '--good：没有标记为“好”、又还没有成片的视频；`batch view --review` 会保存标记',
  ),
  'retry.finals': both(
    ({ count, quality, each }: Counted & InQuality & { readonly each: number }) =>
      `${renderRows(count)} marked good to be made once more in quality ${quality}, where one has cost ${renderPoints(each)} at most`,
    ({ count, quality, each }) =>
      `标记为“好”的 ${renderNumber(count)} 行以清晰度 ${quality} 重新制作；此清晰度每个至今最多 ${renderNumber(each)} 积分`,
  ),
  'retry.finals-unpriced': both(
    ({ count, quality }: Counted & InQuality) =>
      `${renderRows(count)} marked good to be made once more in quality ${quality}, whose price is not known yet: with --limit 1 one goes first`,
    ({ count, quality }) =>
      `标记为“好”的 ${renderNumber(count)} 行以清晰度 ${quality} 重新制作；此清晰度的价格还不知道：加上 --limit 1 可先做一行`,
  ),
  'retry.finals-ended': both(
    ({ ended }: { readonly ended: readonly Ended[] }) =>
      `${counted(ended.length, 'final')} ordered and not sent yet ${ended.length === 1 ? 'falls' : 'fall'} away: ${renderNames(ended.map(({ id, why }) => `${id} (${whyEnded[why].en})`))}`,
    ({ ended }) =>
      `已安排、尚未发送的 ${renderNumber(ended.length)} 个成片取消：${renderNamesInChinese(ended.map(({ id, why }) => `${id}（${whyEnded[why].zh}）`))}`,
  ),
  'retry.others': both(
    ({ count, quality, points }: Counted & InQuality & { readonly points: number | null }) => {
      const cost = points === null ? '' : `: in quality ${quality} about ${renderPoints(points)} more`;
      return `${renderRows(count)} with a video left as before${cost}`;
    },
    ({ count, quality, points }) => {
      const cost = points === null ? '' : `；若也以清晰度 ${quality} 制作，约需 ${renderNumber(points)} 积分`;
      return `其余 ${renderNumber(count)} 行已有视频的保持不变${cost}`;
    },
  ),
  'retry.had': ofRows(
    'skipped, an attempt in this quality was ordered before',
    (count) => `跳过 ${count}，此清晰度的尝试以前已安排过`,
  ),
  'retry.other-video': ofRows(
    'skipped, the mark is about another video than the one that stands for the row',
    (count) => `跳过 ${count}，标记的不是现在代表该行的视频`,
  ),
  'retry.made-table': both(
    ({ file }: { readonly file: string }) =>
      `${file}: a table of all rows orders none; mark rows as bad in a column "mark", or type their ids: --only ID`,
    ({ file }) =>
      `${file}：列出所有行的表不会安排任何一行；请在“mark”列把行标为 bad，或直接写出编号：--only ID`,
  ),
  'retry.under-way': ofRows('already under way, continued', (count) => `${count}正在进行，继续`),
  'retry.tried-since': ofRows(
    'skipped, attempted again since the mark',
    (count) => `跳过 ${count}，标记之后已重新尝试`,
  ),
  'retry.unsent': ofRows(
    'not sent yet, `batch resume` sends the corrected text',
    (count) => `${count}尚未发送，\`batch resume\` 会发送改正后的文字`,
  ),
  'retry.judged': ofRows(
    'whose preferred attempt is marked: the new attempt will stand for the row',
    (count) => `${count}所选用的尝试被标记：将改用新的尝试`,
  ),
  'retry.disputed': ofRows(
    'skipped, reviewers contradict each other',
    (count) => `跳过 ${count}，审阅者意见不一`,
  ),
  'retry.left-out': ofRows('skipped, no new attempt possible', (count) => `跳过 ${count}，无法重新尝试`),
  /** Rows of those, with the reason. */
  'skipped.unknown': both(
    ({ id }: OfRow) => `${id} (no such row)`,
    ({ id }) => `${id}（没有这一行）`,
  ),
  'skipped.gone': both(
    ({ id }: OfRow) => `${id} (no longer in the file: --gone)`,
    ({ id }) => `${id}（已不在文件中：--gone）`,
  ),
  'skipped.status': both(
    ({ id, status }: OfRow & { readonly status: Status }) => `${id} (${status})`,
    ({ id, status }) => `${id}（${statusNames.zh[status]}）`,
  ),
  'skipped.attempt': both(
    ({ id, attempt, last }: OfRow & { readonly attempt: number; readonly last: number }) =>
      `${id} (attempt ${attempt} is marked, the last one is ${last})`,
    ({ id, attempt, last }) => `${id}（标记的是第 ${attempt} 次尝试，最后一次是第 ${last} 次）`,
  ),
  'skipped.has-video': both(
    ({ id }: OfRow) => `${id} (has its video: mark it bad, or type its id, to pay for another one)`,
    ({ id }) => `${id}（已有视频：要再付费制作，请标记为 bad，或直接写出编号）`,
  ),
  'skipped.no-video': both(
    ({ id }: OfRow) => `${id} (no video)`,
    ({ id }) => `${id}（没有视频）`,
  ),
  'skipped.unsaid-attempt': both(
    ({ id }: OfRow) => `${id} (several attempts, and the table does not say which one it is about)`,
    ({ id }) => `${id}（有多次尝试，表中没有说明指的是哪一次）`,
  ),
  'skipped.changed': both(
    ({ id }: OfRow) => `${id} (changed in the file since its video was made)`,
    ({ id }) => `${id}（视频制作之后，文件中有改动）`,
  ),
  'skipped.good-corrected': both(
    ({ id }: OfRow) => `${id} (marked good, and its text corrected: mark it bad to send the new text)`,
    ({ id }) => `${id}（标记为“好”，又改了文字：若要发送新文字，请标记为“差”）`,
  ),
  'skipped.unsendable': both(
    ({ id, what }: OfRow & { readonly what: Words }) => `${id} (${what.en})`,
    ({ id, what }) => `${id}（${what.zh}）`,
  ),
  'retry.corrected-and-edited': both(
    () => 'corrected here, and changed in the file since; --only ID alone sends the text of the file',
    () => '在这里改正过，之后文件中又有改动；只用 --only ID 会发送文件中的文字',
  ),
  'retry.correction-odd': both(
    ({ what }: { readonly what: Words }) => `its correction looks like ${what.en}; --odd send sends it`,
    ({ what }) => `改正后的文字像是${what.zh}；要发送请加 --odd send`,
  ),
  'retry.odd-corrections': ofCount(
    'of them sent although the corrected text looks odd: --odd send',
    (count) => `其中 ${count}改正后的文字看起来不对，按 --odd send 发送`,
  ),
  'retry.uncorrected': ofRows(
    'under way without the corrected text; use the table again once they have ended',
    (count) => `${count}正在制作，未用改正后的文字；待其结束后请再次使用该表`,
  ),
  'retry.paid-again': both(
    ({ ids, points }: Named & { readonly points: number }) => {
      const have = ids.length === 1 ? 'has its video and is' : 'have their videos and are';
      const paid = points === 0 ? '' : `, ${renderPoints(points)} so far`;
      return `${renderRows(ids.length)} ${have} paid for again: ${renderNames(ids)}${paid}`;
    },
    ({ ids, points }) => {
      const paid = points === 0 ? '' : `，至今 ${renderNumber(points)} 积分`;
      return `${renderNumber(ids.length)} 行已有视频，将重新付费：${renderNamesInChinese(ids)}${paid}`;
    },
  ),
  'retry.ids-alone': ofCount(
    'of --only with corrected text: only `batch retry` takes it',
    (count) => `--only 中有 ${count}带有改正的文字：只有 \`batch retry\` 会采用`,
  ),
  'retry.ordered': ofCount('left of the retry, ordered before', (count) => `重做还剩 ${count}，此前已安排`),
  'retry.nothing': both(
    () => 'no row to get a new attempt',
    () => '没有要重新尝试的行',
  ),
  'retry.nothing-unsent': both(
    () => 'no row left of the retry',
    () => '重做没有剩下的行',
  ),
  'retry.attempts': ofCount('to get a new attempt', (count) => `${count}重新尝试`),
  'retry.beyond-limit': ofCount('left as before: --limit', (count) => `另有 ${count}保持不变：--limit`),
  'retry.waiting': ofCount(
    'left waiting, not submitted now; use `batch resume`',
    (count) => `等待中的 ${count}现在不提交；请用 \`batch resume\``,
  ),
  'retry.changed': ofCount(
    'of them changed in the file since: sent with the new text',
    (count) => `其中 ${count}在文件中有改动：按新内容发送`,
  ),
  'retry.unsendable': both(
    ({ count }: Counted) =>
      `warning: ${renderRows(count)} skipped that cannot be sent as ${count === 1 ? 'it is' : 'they are'} in the file; correct ${count === 1 ? 'it' : 'them'} and run the file again`,
    ({ count }) => `警告：跳过 ${renderNumber(count)} 行，文件中的内容无法发送；请改正后重新运行文件`,
  ),
  'retry.corrected': ofCount('sent with corrected text:', (count) => `${count}按改正后的文字发送：`),
  'retry.correction': both(
    ({ id, field, from, to }: Correction) => `  ${id} ${field}: ${from} -> ${to}`,
    ({ id, field, from, to }) => `  ${id} ${field === 'question' ? '题目' : '答案'}：${from} -> ${to}`,
  ),
  'retry.more-corrected': both(
    ({ count }: Counted) => `  and ${renderRows(count)} more; --dry-run --json lists all`,
    ({ count }) => `  还有 ${renderNumber(count)} 行；--dry-run --json 列出全部`,
  ),
  'retry.kept': ofCount(
    'of them sent with the text corrected for an earlier attempt',
    (count) => `其中 ${count}按以前尝试时改正的文字发送`,
  ),
  'retry.dropped': ofRows(
    'of them changed in the file since: the corrections are dropped',
    (count) => `其中 ${count}在文件中有改动，不再用改正的文字`,
  ),
  'retry.table-unreadable': both(
    ({ path }: { readonly path: string }) =>
      `${path} was changed, and can no longer be read; correct it, or remove the file to retry the rows as they were`,
    ({ path }) => `${path} 被改动过，已无法读取；请改正它，或删除该文件以按原样重做`,
  ),
  'retry.table-mended': both(
    ({ path, count, command }: Counted & { readonly path: string; readonly command: string }) =>
      `${path} has ${renderRows(count)} mended, which a retry does not send; send them with \`${command}\`, or remove the file to retry the rows as they were`,
    ({ path, count, command }) =>
      `${path} 中改正了 ${renderNumber(count)} 行，重做不会发送它们；请用 \`${command}\` 发送，或删除该文件以按原样重做`,
  ),
  'retry.table-kept': both(
    ({ name, path }: Kept) => `${name} cannot be read; a copy is kept in ${path}`,
    ({ name, path }) => `无法读取 ${name}；副本保存在 ${path}`,
  ),
  'retry.rows-kept': both(
    ({ count, name, path }: Counted & Kept) =>
      `${renderRows(count)} mended in ${name} not sent; ${count === 1 ? 'it is' : 'they are'} kept in ${path}, for \`batch run\` with --rerun-changed`,
    ({ count, name, path }) =>
      `${name} 中改正的 ${renderNumber(count)} 行没有发送；已保存在 ${path}，可用 \`batch run\` 加 --rerun-changed 发送`,
  ),
};

interface Kept {
  readonly name: string;
  /** Of the copy. */
  readonly path: string;
}

interface Correction {
  readonly id: string;
  readonly field: 'question' | 'answer';
  readonly from: string;
  readonly to: string;
}
