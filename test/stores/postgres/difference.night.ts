/** An import into PostgreSQL, which is made in a copy and taken over as a difference, is the import of the contract. */

import { describe } from 'vitest';
import { describeEditedRows } from '../../support/store-contract/edited-rows.ts';
import { describePictures } from '../../support/store-contract/pictures.ts';
import { describePlans } from '../../support/store-contract/plans.ts';
import { describeRowNames } from '../../support/store-contract/row-names.ts';
import { runsIn } from '../../support/store-contract/runs.ts';
import { describeStaging } from '../../support/store-contract/staging.ts';
import { describeLaws } from '../../support/store-contract.ts';
import { startPlaces } from './place.ts';

const { openPlace, openScratch, openEmpty } = await startPlaces();
const runs = runsIn(openPlace, { openScratch, openEmpty, isShared: true, tries: 0.03 });

describe('an import into PostgreSQL', () => {
  describeStaging(runs);
  describeEditedRows(runs);
  describeRowNames(runs);
  describePictures(runs);
  describePlans(runs);
  describeLaws(runs);
});
