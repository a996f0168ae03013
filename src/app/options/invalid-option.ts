/** A value that an option cannot have. */

import { UsageError } from '../../errors.ts';
import type { Choices } from '../../messages/choices.ts';
import { message } from '../../messages/message.ts';

/** `option` as the user wrote it. */
export function invalidOption(option: string, value: unknown, choices: Choices): UsageError {
  return new UsageError(message('option.invalid', { option, value: String(value), choices }));
}
