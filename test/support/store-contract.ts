/** What every store promises, whatever keeps it: the contract suite of `src/store.ts`. Asks the port alone. */

import { describe } from 'vitest';
import { describeArchive } from './store-contract/archive.ts';
import { describeAttempts } from './store-contract/attempts.ts';
import { describeCheckpoint } from './store-contract/checkpoint.ts';
import { describeDecisions } from './store-contract/decisions.ts';
import { describeEditedRows } from './store-contract/edited-rows.ts';
import { describeFiles } from './store-contract/files.ts';
import { describeHistories } from './store-contract/histories.ts';
import { describeHooks } from './store-contract/hooks.ts';
import { describeIdentity } from './store-contract/identity.ts';
import { describeIdentityRule } from './store-contract/identity-rule.ts';
import { describeInspections } from './store-contract/inspections.ts';
import { describeLookups } from './store-contract/lookups.ts';
import { describeOddSizes } from './store-contract/odd-sizes.ts';
import { describeOddTexts } from './store-contract/odd-texts.ts';
import { describeOrders } from './store-contract/orders.ts';
import { describePictures } from './store-contract/pictures.ts';
import { describePlace } from './store-contract/place.ts';
import { describePlans } from './store-contract/plans.ts';
import { describeReviews } from './store-contract/reviews.ts';
import { describeRoom } from './store-contract/room.ts';
import { describeRowNames } from './store-contract/row-names.ts';
import { type KindOfPlace, type PlaceUnderTest, type Runs, runsIn } from './store-contract/runs.ts';
import { describeSharing } from './store-contract/sharing.ts';
import { describeStaging } from './store-contract/staging.ts';
import { describeStanding } from './store-contract/standing.ts';
import { describeSteering } from './store-contract/steering.ts';
import { describeTotals } from './store-contract/totals.ts';
import { describeWatch } from './store-contract/watch.ts';

/** Runs the suite. `open` gives a place without a run. */
export function describeStore(
  name: string,
  open: () => Promise<PlaceUnderTest>,
  kind: KindOfPlace = {},
): void {
  const runs = runsIn(open, kind);
  describe(name, () => {
    describePlace(runs);
    describeCheckpoint(runs);
    describeAttempts(runs);
    describeLookups(runs);
    describeOddSizes(runs);
    describeOddTexts(runs);
    describeTotals(runs);
    describeOrders(runs);
    describeSteering(runs);
    describeReviews(runs);
    describeDecisions(runs);
    describeStanding(runs);
    describeInspections(runs);
    describeHooks(runs);
    if (runs.isShared) {
      describeSharing(runs);
      describeRoom(runs);
    }
    describeArchive(runs);
    if (kind.isShort) return;
    describeWatch(runs);
    describeStaging(runs);
    describeFiles(runs);
    describeEditedRows(runs);
    describeRowNames(runs);
    describePictures(runs);
    describePlans(runs);
    describeLaws(runs);
  });
}

/** What holds after any history and any edit: what costs the most tries. */
export function describeLaws(runs: Runs): void {
  describeHistories(runs);
  describeIdentityRule(runs);
  describeIdentity(runs);
}
