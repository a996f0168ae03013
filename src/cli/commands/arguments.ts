/** Arguments that several commands have. */

import type { Argument } from '../command.ts';

export const dir: Argument = {
  name: 'dir',
  describe: 'output folder of the run',
  otherwise: './videos',
  value: 'DIR',
};

export const dirAndRow: Argument = {
  name: 'words',
  describe: 'output folder (default: ./videos) and id of the row',
  isList: true,
  value: 'DIR',
};

export const file: Argument = {
  name: 'file',
  describe: 'Excel, CSV, JSONL or Parquet file, or - for standard input',
  value: 'FILE',
};

export const statementAndDirs: Argument = {
  name: 'words',
  describe: 'statement of the account (Excel, CSV or JSONL), and output folders (default: ./videos)',
  isList: true,
  value: 'FILE',
};
