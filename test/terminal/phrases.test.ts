/** The catalogue of what the terminal says: whole in both languages, and nothing lost between them. */

import { expect, it, test } from 'vitest';
import { message } from '../../src/messages/message.ts';
import { english, type Phrases, phrasesOf } from '../../src/terminal/phrases/phrases.ts';
import { now } from './live-facts.ts';

const reach = { cap: '--max-points 7', spent: 31, reserved: 32 };
const estimate = { amount: 'AMOUNT', rows: null, basis: 'BASIS', isRehearsal: true, pilot: 'PILOT' };
const part = { qualities: ['h'], each: 33, isOne: false };

/** Every entry, with values that are seen in it. */
function spoken({
  plan,
  progress,
  ending,
  handover,
  ...say
}: Phrases): Readonly<Record<string, readonly string[]>> {
  return {
    rows: [say.rows(1), say.rows(2_345)],
    points: [say.points(1), say.points(2_345)],
    tasks: [say.tasks(1), say.tasks(2_345)],
    names: [say.names(['A', 'B']), say.names([...'ABCDEFGHIJKL'])],
    countOf: [say.countOf(7, 'WORD')],
    quoted: [say.quoted('TEXT')],
    comma: [say.comma],
    between: [say.between],
    semicolon: [say.semicolon],
    render: [say.render('answer is a list, not text'), say.render(message('retry.choose'))],
    span: [say.span(41_000), say.span(200_000), say.span(4_320_000), say.span(183_600_000)],
    rough: [say.rough(41_000), say.rough(4_300_000)],
    moment: [say.moment(now, now), say.moment(now + 90_000_000, now), say.moment(now + 900_000_000, now)],

    'plan.heading': [plan.heading('FILE', 2, 'KIND', null), plan.heading('FILE', 2, 'KIND', 'ENCODING')],
    'plan.plan': [plan.plan('SHARES')],
    'plan.shares': [plan.shares(['A', 'B'])],
    'plan.toSubmit': [plan.toSubmit(7)],
    'plan.someToSubmit': [plan.someToSubmit(7, 9, '--limit')],
    'plan.submitted': [plan.submitted('SOME', ''), plan.submitted('SOME', 'KINDS')],
    'plan.images': [plan.images(1, 1, 'KINDS'), plan.images(7, 9, 'KINDS')],
    'plan.inFiles': [plan.inFiles(1), plan.inFiles(7)],
    'plan.inRows': [plan.inRows(7)],
    'plan.inCells': [plan.inCells(7)],
    'plan.addresses': [plan.addresses(1), plan.addresses(7)],
    'plan.twins': [plan.twins(1), plan.twins(7)],
    'plan.repeats': [plan.repeats(1, null, ''), plan.repeats(7, 40, 'DIR')],
    'plan.reuse': [plan.reuse(1, 0, null), plan.reuse(7, 1, 40), plan.reuse(0, 2, 40)],
    'plan.elsewhere': [
      plan.elsewhere(1, 0, 'FOLDER'),
      plan.elsewhere(0, 7, 'FOLDER'),
      plan.elsewhere(4, 1, 'FOLDER'),
    ],
    'plan.paidTwice': [plan.paidTwice(1, 'FOLDER'), plan.paidTwice(7, 'FOLDER')],
    'plan.repictured': [plan.repictured(1), plan.repictured(7)],
    'plan.askedBefore': [plan.askedBefore(1), plan.askedBefore(7)],
    'plan.renumbered': [plan.renumbered(1, [['A', 'B']]), plan.renumbered(7, [['A', 'B']])],
    'plan.paidAgain': [plan.paidAgain(1, ['A']), plan.paidAgain(7, ['A', 'B'])],
    'plan.keepResult': [plan.keepResult(1, ['A']), plan.keepResult(7, ['A', 'B'])],
    'plan.mendedAway': [plan.mendedAway(1, ['A'], 'batch run'), plan.mendedAway(7, ['A', 'B'], 'batch run')],
    'plan.payAgain': [plan.payAgain(1, 'RERUN', ''), plan.payAgain(7, 'RERUN', 'batch retry')],
    'plan.rerunCommand': [plan.rerunCommand(null), plan.rerunCommand('batch run')],
    'plan.pilotCommand': [
      plan.pilotCommand(null, '--sample 20'),
      plan.pilotCommand('batch run', '--sample 20'),
    ],
    'plan.firstRow': [plan.firstRow(null), plan.firstRow({ line: 7, row: null })],
    'plan.firstRowIs': [plan.firstRowIs('WHICH', ['A', 'B'])],
    'plan.id': [plan.id('A')],
    'plan.question': [plan.question('TEXT')],
    'plan.answer': [plan.answer('TEXT')],
    'plan.quality': [plan.quality('h')],
    'plan.rowImages': [plan.rowImages(1, ['A']), plan.rowImages(7, ['A', 'B'])],
    'plan.moreImages': [plan.moreImages(7)],
    'plan.image': [plan.image('KIND', null, null), plan.image('KIND', 'NAME', '7 MB')],
    'plan.alike': [plan.alike(1), plan.alike(7)],
    'plan.estimate': [
      plan.estimate(estimate),
      plan.estimate({ ...estimate, amount: null, isRehearsal: false }),
      plan.estimate({ ...estimate, rows: 7, pilot: null }),
    ],
    'plan.amount': [plan.amount(7, true), plan.amount(7, false)],
    'plan.range': [plan.range(7, 9), plan.range(7, 7)],
    'plan.rangeBasis': [plan.rangeBasis(7, false, false), plan.rangeBasis(7, true, true)],
    'plan.basisPart': [plan.basisPart(1, part), plan.basisPart(7, { ...part, qualities: [], isOne: true })],
    'plan.basis': [plan.basis(['A'], 1), plan.basis(['A', 'B'], 7)],
    'plan.basisUnpaid': [plan.basisUnpaid([]), plan.basisUnpaid(['h', 'l'])],
    'plan.capChange': [
      plan.capChange(10, 20),
      plan.capChange(20, 10),
      plan.capChange(null, 20),
      plan.capChange(20, null),
    ],
    'plan.capSpent': [plan.capSpent('--max-points 7', 9)],
    'plan.capOneByOne': [
      plan.capOneByOne('--max-points 7', []),
      plan.capOneByOne('--max-points 7', ['h', 'l']),
    ],
    'plan.capEnough': [plan.capEnough(reach)],
    'plan.capNoRoom': [plan.capNoRoom(reach)],
    'plan.service': [plan.service('https://video.example')],
    'plan.sendKey': [plan.sendKey({ address: 'https://video.example', from: '.env' })],
    'plan.capPassed': [plan.capPassed(10, 12.5), plan.capPassed(1, 12.5), plan.capPassed(10, null)],
    'plan.capCovers': [plan.capCovers(reach, 34), plan.capCovers({ ...reach, reserved: 0 }, 34)],
    'plan.submit': [plan.submit(7, 'AMOUNT', true), plan.submit(1, 'AMOUNT', false)],
    'plan.yesOrNo': [plan.yesOrNo('QUESTION')],
    'plan.account': [plan.account('WORDS', 7)],

    'progress.done': [progress.done(7, 9)],
    'progress.later': [progress.later(7)],
    'progress.soFar': [progress.soFar(7)],
    'progress.doneShort': [progress.doneShort(7, 9)],
    'progress.open': [progress.open(7, 9)],
    'progress.left': [progress.left(60_000)],
    'progress.doneAt': [progress.doneAt(now, now)],
    'progress.leftUntil': [progress.leftUntil(60_000, 'UNTIL')],
    'progress.stopAt': (['points-cap', 'limit', 'halt'] as const).map((why) =>
      progress.stopAt(why, now, now, 7),
    ),
    'progress.pace': [progress.pace(41_000)],
    'progress.running': [progress.running(41_000)],
    'progress.spent': [progress.spent('POINTS')],
    'progress.reserved': [progress.reserved(null), progress.reserved(7)],
    'progress.inAll': [progress.inAll(null), progress.inAll(7)],
    'progress.spentOf': [progress.spentOf('POINTS', null), progress.spentOf('POINTS', 7)],
    'progress.unpriced': [progress.unpriced(1), progress.unpriced(7)],
    'progress.cap': [progress.cap(7)],
    'progress.ended': [progress.ended('A', 'STATUS', null), progress.ended('A', 'STATUS', 'FAILURE')],
    'progress.frames': [progress.frames(1), progress.frames(7)],
    'progress.pauses': [progress.pauses(60_000, null), progress.pauses(60_000, 'FAILURE')],
    'progress.service': [progress.service(1), progress.service(7)],
    'progress.uncertain': progress.uncertain(6, 10, '14:30', 'batch resolve', 'batch resolve'),
    'progress.pollPause': [progress.pollPause(60_000)],
    'progress.videos': [progress.videos(1, '14:30'), progress.videos(7, '14:30')],
    'progress.callbacks': [progress.callbacks('14:30')],
    'progress.silence': [progress.silence(41_000)],
    'progress.workers': [progress.workers(7, 0), progress.workers(7, 9)],
    'progress.silentWorker': [progress.silentWorker(41_000)],
    'progress.worker': [progress.worker(7, ['A', 'B'], 41_000)],
    'progress.storeAway': [progress.storeAway(41_000)],
    'progress.crew': [progress.crew(1, 7, 64), progress.crew(9, 7, 64)],

    'ending.backInFile': [ending.backInFile(1), ending.backInFile(7)],
    'ending.after': [ending.after('14:30')],
    'ending.totals': [ending.totals(7, []), ending.totals(7, ['A', 'B'])],
    'ending.takesVideos': [ending.takesVideos(1), ending.takesVideos(7)],
    'ending.spent': [ending.spent(7, true, 9), ending.spent(7, false, null)],
    'ending.reserved': [ending.reserved('SPENT', null, ['A']), ending.reserved('SPENT', 7, ['A', 'B'])],
    'ending.reserving': [
      ending.reserving([[1, 'A']]),
      ending.reserving([
        [7, 'A'],
        [8, 'B'],
        [9, 'C'],
      ]),
    ],
    'ending.unpriced': [ending.unpriced(1), ending.unpriced(7)],
    'ending.earlier': [ending.earlier(1), ending.earlier(7)],
    'ending.paused': [ending.paused(null, 'batch continue'), ending.paused('14:30', 'batch continue')],
    'ending.held': [ending.held(6, 10, '14:30')],
    'ending.collectedSome': [ending.collectedSome(1), ending.collectedSome(12)],
    'ending.because': [ending.because('STOPPED', 'DETAIL')],
    'ending.reports': [ending.reports('HTML', 'CSV', null), ending.reports('HTML', 'CSV', 'FAILED')],
    'ending.running': [ending.running('PROCESS', 'batch stop')],
    'ending.stopsWorkers': [ending.stopsWorkers('batch stop')],
    'ending.rest': [ending.rest(7, 'AMOUNT', 'BASIS', true), ending.rest(1, 'AMOUNT', 'BASIS', false)],
    'ending.seenVideos': [ending.seenVideos(7, 8, 0), ending.seenVideos(7, 8, 9)],
    'ending.files': [ending.files(9, 2)],
    'ending.filesAway': [ending.filesAway(7, 9), ending.filesAway(9, 9)],
    'ending.fetched': [ending.fetched(1, 1), ending.fetched(7, 9)],
    'ending.stillInFile': [ending.stillInFile('WORDS', 7)],
    'ending.moreKinds': [ending.moreKinds(1, null, 'REPORT'), ending.moreKinds(7, 9, 'REPORT')],
    'ending.rowsAre': [ending.rowsAre(7, 'STATUS', 'HINT')],
    'ending.settleAll': [ending.settleAll('batch resolve')],
    'ending.withNotes': [ending.withNotes('A', []), ending.withNotes('A', ['B'])],
    'ending.underWay': [ending.underWay(7, []), ending.underWay(1, ['A'])],
    'ending.unsent': [ending.unsent(7, ''), ending.unsent(1, 'A')],
    'ending.forPoints': [
      ending.forPoints(null),
      ending.forPoints({ points: 7, within: null, before: 2 }),
      ending.forPoints({ points: null, within: 20, before: 0 }),
    ],
    'ending.left': [ending.left(7, []), ending.left(7, ['A', 'B'])],
    'handover.unknown': [handover.unknown('A')],
    'handover.withoutVideo': [handover.withoutVideo('A')],
    'handover.otherAttempt': [handover.otherAttempt('A')],
    'handover.contested': [handover.contested('A')],
    'handover.flawed': [handover.flawed('A')],
    'handover.picture': [handover.picture('A')],
    'handover.inTheWay': [handover.inTheWay('A')],
    'handover.lastCopy': [handover.lastCopy('A')],
    'handover.changed': [handover.changed('A')],
    'handover.videos': [handover.videos(1, 'FOLDER'), handover.videos(7, 'FOLDER')],
    'handover.withCaptions': [handover.withCaptions('TEXT', 7)],
    'handover.detailed': [handover.detailed('TEXT', ['A', 'B'])],
    'handover.added': [handover.added(7)],
    'handover.replaced': [handover.replaced(7)],
    'handover.unchanged': [handover.unchanged(7)],
    'handover.removed': [handover.removed(7)],
    'handover.linked': [handover.linked(7)],
    'handover.copied': [handover.copied(7)],
    'handover.page': [handover.page('PATH')],
    'handover.problems': [handover.problems(1), handover.problems(7)],
    'handover.left': [handover.left(1, false), handover.left(7, true)],
    ...plainEntries({ ...say, plan, progress, ending, handover }),
  };
}

/** The entries that are plain text, and those of the lists; `[]` stands for a name that is missing above. */
function plainEntries(entries: object, path = ''): Record<string, readonly string[]> {
  const found: Record<string, readonly string[]> = {};
  for (const [name, entry] of Object.entries(entries)) {
    const here = `${path}${name}`;
    if (typeof entry === 'string') found[here] = [entry];
    else if (path === 'plan.accounts.') found[here] = [entry('ADDRESS', 'FAILURE')];
    else if (typeof entry === 'object' && entry !== null && !(entry instanceof RegExp))
      Object.assign(found, plainEntries(entry, `${here}.`));
  }
  return found;
}

/** The names of all entries of the catalogue. */
function namesOf(entries: object, path = ''): string[] {
  return Object.entries(entries).flatMap(([name, entry]) => {
    if (entry === null || entry instanceof RegExp) return [];
    return typeof entry === 'object' ? namesOf(entry, `${path}${name}.`) : [`${path}${name}`];
  });
}

const inEnglish = spoken(english);
const inChinese = spoken(phrasesOf('zh'));

test('every entry is looked at below', () => {
  expect(Object.keys(inEnglish).sort()).toEqual(namesOf(english).sort());
  expect(Object.keys(inChinese).sort()).toEqual(Object.keys(inEnglish).sort());
});

/** What must stand in both languages: numbers, what is typed, and the values given above. */
const tokens = /`[^`]*`|--[a-z]+(?:-[a-z]+)*|\d+(?:[,:]\d+)*|\b(?!SILENT|A second)[A-Z]+\b|\w+\.csv|Ctrl-C/g;

/** Marks of one column between or after Chinese letters belong to another language. */
const narrowMarks = /[\u4e00-\u9fff][,;:?!()]|[,;:!(][\u4e00-\u9fff]/;

/** Chinese letters have no blanks between them. */
const blank = /[\u4e00-\u9fff] +[\u4e00-\u9fff]/;

it.each(Object.keys(inEnglish))(
  '%s is Chinese, and keeps every value, option, command and number',
  (name) => {
    for (const [at, text] of (inEnglish[name] ?? []).entries()) {
      const translated = inChinese[name]?.[at] ?? '';
      const lost = (text.match(tokens) ?? []).filter((token) => !translated.includes(token));
      expect(lost, `${text} | ${translated}`).toEqual([]);
      const rest = text.replace(tokens, '').replace(/\b(batch|retry|run)\b/g, '');
      if (/[a-z]/i.test(rest)) expect(translated).not.toBe(text);
      expect(translated).not.toMatch(narrowMarks);
      expect(translated).not.toMatch(blank);
    }
  },
);
