/** What both stores compare texts by, for the rows of a file. */

export { digest } from '../digest.ts';
