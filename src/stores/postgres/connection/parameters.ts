/** The values of a statement as the server takes them: texts, and lists of texts, have no U+0000 there. */

import { withoutNul } from '../../../text/cells/storable-text.ts';

export function parametersOf(values: readonly unknown[]): unknown[] {
  return values.map((value) => {
    if (typeof value === 'string') return withoutNul(value);
    return Array.isArray(value) ? parametersOf(value) : value;
  });
}
