/** Groups of flags that commands of several kinds have. */

import { type FlagGroup, flagsFor } from './flag.ts';

/** Where a run of several machines is. */
export const placeGroup: FlagGroup = {
  title: 'On several machines',
  flags: flagsFor('store', 'run'),
};

/** For commands that only speak. */
export const languageGroup: FlagGroup = { title: 'Output', flags: flagsFor('lang') };

export const serviceGroup: FlagGroup = {
  title: 'The service',
  flags: flagsFor('baseUrl', 'apiKeyFile', 'requestTimeout', 'outageTimeout'),
};

export const speechGroup: FlagGroup = {
  title: 'Output',
  flags: flagsFor('json', 'quiet', 'verbose', 'lang', 'noColor'),
};

/** For commands that only look. */
export const lookGroups: readonly FlagGroup[] = [placeGroup, languageGroup];
