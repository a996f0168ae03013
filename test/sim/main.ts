/**
 * `npm run sim`: whole runs in virtual time.
 * `--seeds N` plays N worlds, `--from S` starts elsewhere, `--seed S` replays one and prints its story,
 * `--about TROUBLE` plays only worlds that know it, `--mutant NAME` takes a safeguard out first, `--fleet` plays several workers over one store,
 * `--older` machines whose store goes back to a copy, `--owner` a person who types what was proposed, and gives tables back.
 */

import { parseArgs } from 'node:util';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { FleetStory } from './fleet/fleet-story.ts';
import { fleetMutants, olderMutants } from './fleet/mutants.ts';
import { OlderStory } from './fleet/older-story.ts';
import { mutants } from './mutants.ts';
import { ownerMutants } from './owner/mutants.ts';
import { OwnerStory } from './owner/owner-story.ts';
import { describeFlaw, playSeeds } from './seeds.ts';
import { Story } from './story.ts';
import type { Trouble } from './weather.ts';

const say = (text: string): void => void process.stdout.write(`${text}\n`);

const { values } = parseArgs({
  options: {
    seeds: { type: 'string', default: '2000' },
    from: { type: 'string', default: '1' },
    seed: { type: 'string' },
    mutant: { type: 'string' },
    about: { type: 'string' },
    fleet: { type: 'boolean', default: false },
    older: { type: 'boolean', default: false },
    owner: { type: 'boolean', default: false },
  },
});
const kind = values.fleet ? 'fleet' : values.older ? 'older' : values.owner ? 'owner' : 'run';
const ownerMutant = ownerMutants.find(({ name }) => name === values.mutant) ?? null;

if (values.seed !== undefined) {
  await using folder = await temporaryFolder();
  const seed = Number(values.seed);
  const story =
    kind === 'fleet'
      ? new FleetStory(seed)
      : kind === 'older'
        ? new OlderStory(seed)
        : kind === 'owner'
          ? new OwnerStory(seed, folder.path, ownerMutant)
          : new Story(seed, folder.path);
  const { transcript, flaw } = await story.play();
  say(transcript.join('\n'));
  process.exitCode = flaw === null ? 0 : 1;
} else {
  const mutant =
    [...mutants, ...fleetMutants, ...olderMutants].find(({ name }) => name === values.mutant) ?? null;
  const startedAt = performance.now();
  let played = 0;
  let told = 0;
  const reports = await playSeeds({
    from: Number(values.from),
    count: Number(values.seeds),
    mutant: mutant ?? ownerMutant?.name ?? null,
    about: (values.about as Trouble | undefined) ?? mutant?.about ?? null,
    kind,
    untilFlaw: values.mutant !== undefined,
    onReport: (report) => {
      played += 1;
      if (report.flaw !== null && ++told <= 5) say(describeFlaw(report, kind));
      if (played % 5_000 === 0) say(`${played} seeds`);
    },
  });
  const seconds = (performance.now() - startedAt) / 1_000;
  const count = (of: (report: (typeof reports)[number]) => number): number =>
    reports.reduce((sum, report) => sum + of(report), 0);
  const flaws = count(({ flaw }) => (flaw === null ? 0 : 1));
  say(
    `${played} seeds, ${count((r) => r.processCount)} processes, ${count((r) => r.taskCount)} tasks, ` +
      `${flaws} broken promises, ${seconds.toFixed(1)} s, ${(played / seconds).toFixed(1)} seeds/s`,
  );
  process.exitCode = flaws === 0 ? 0 : 1;
}
