/** The values of a statement as the server accepts them: texts, and lists of texts, without U+0000. */

import { withoutNul } from '../../../text/cells/storable-text.ts';

export function parametersOf(values: readonly unknown[]): unknown[] {
  return values.map((value) => {
    if (typeof value === 'string') return withoutNul(value);
    return Array.isArray(value) ? parametersOf(value) : value;
  });
}
