/** Why a workbook cannot be read at all, in one line. */
export class WorkbookError extends Error {}
