import { describe, expect, it } from 'vitest';
import { UsageError } from '../../../src/errors.ts';
import type { Finding, Inspection } from '../../../src/money/inspection/inspection.ts';
import type { Inspections } from '../../../src/stores/port/reviews.ts';
import { eventOf, events, fileAt } from '../../money/lives.ts';
import { namedRows } from '../incoming-rows.ts';
import { accepted } from '../saved-lives.ts';
import { soundContainer } from '../sound-container.ts';
import type { OpenRun, Runs } from './runs.ts';

const sound: Inspection = { container: soundContainer, playback: null };
const broken: Inspection = { container: 'unreadable', playback: 'unreadable' };
const findings: readonly Finding[] = [{ code: 'no-sound' }, { code: 'same-file', rows: ['q1', 'q;2'] }];

/** A completed row whose video has this digest. */
async function complete(run: OpenRun, id: string, sha256: string): Promise<void> {
  const file = { ...fileAt(`${id}/video.mp4`), sha256 };
  await run.live(
    id,
    ...accepted(`task of ${id}`),
    eventOf('task-completed', { frames: [] }),
    eventOf('video-saved', { file }),
  );
}

/** What is remembered of videos. */
export function describeInspections(runs: Runs): void {
  const found = async (inspections: Inspections, ...digests: readonly string[]) =>
    Object.fromEntries(await inspections.find(digests));

  describe('what was seen of videos', () => {
    it('is found by the digest of their bytes, and replaced when somebody looks again', async () => {
      await using run = await runs.open(...namedRows(1));
      const { inspections } = run.store;
      await inspections.save([
        { sha256: 'a1', inspection: sound },
        { sha256: 'b2', inspection: broken },
      ]);
      expect(await found(inspections, 'a1', 'b2', 'c3')).toEqual({
        a1: { ...sound, findings: [] },
        b2: { ...broken, findings: [] },
      });
      await inspections.saveFindings([{ sha256: 'a1', findings }]);
      await inspections.save([{ sha256: 'a1', inspection: { ...sound, playback: 'unreadable' } }]);
      expect(await found(inspections, 'a1')).toEqual({
        a1: { ...sound, playback: 'unreadable', findings },
      });
      await inspections.saveFindings([{ sha256: 'unknown', findings }]);
      expect(await found(inspections, 'unknown')).toEqual({});
    });

    it('stands in the rows that show these videos, and in no other', async () => {
      await using run = await runs.open(...namedRows(3));
      await complete(run, 'q1', 'a1');
      await complete(run, 'q2', 'b2');
      const { inspections } = run.store;
      await inspections.save([{ sha256: 'a1', inspection: sound }]);
      await inspections.saveFindings([{ sha256: 'a1', findings }]);
      const rows = await Array.fromAsync(run.checkpoint.reportRows());
      expect(rows.map(({ inspection }) => inspection)).toEqual([{ ...sound, findings }, null, null]);
      await run.live('q1', events['retry-ordered'], eventOf('claimed', { token: 'second' }));
      const [row] = await Array.fromAsync(run.checkpoint.reportRows());
      // The video of the earlier attempt is shown until there is another one.
      expect(row?.inspection?.findings).toEqual(findings);
    });

    it('is saved while another process works on the run, and pages read the rows anew', async () => {
      await using run = await runs.open(...namedRows(1));
      await complete(run, 'q1', 'a1');
      await using outside = await run.look();
      const watch = await outside.store.openWatch();
      const [version, inputVersion] = [await watch.version(), await watch.inputVersion()];
      await using beside = await run.place.openSettings();
      await beside.inspections.save([{ sha256: 'a1', inspection: sound }]);
      await beside.inspections.saveFindings([{ sha256: 'a1', findings }]);
      expect(await found(run.store.inspections, 'a1')).toEqual({ a1: { ...sound, findings } });
      expect(await watch.version()).not.toBe(version);
      const moved = await watch.inputVersion();
      expect(moved).not.toBe(inputVersion);
      await beside.inspections.saveFindings([{ sha256: 'a1', findings }]);
      expect(await watch.inputVersion()).toBe(moved);
    });

    it('stays as it is where the run moves: what is saved now would stay behind', async () => {
      await using run = await runs.open(...namedRows(1));
      const { inspections, archive } = run.store;
      await archive.setMark(null, { state: 'moved', move: 'm', place: '--run other' });
      await expect(inspections.save([{ sha256: 'a1', inspection: sound }])).rejects.toThrow(UsageError);
      expect(await found(inspections, 'a1')).toEqual({});
    });
  });
}
