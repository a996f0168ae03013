import { ReasonError } from '../../messages/reasons/reason-error.ts';

/** Why a workbook cannot be read at all, in one line. */
export class WorkbookError extends ReasonError {}
