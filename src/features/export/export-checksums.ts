import type { ReportFile } from '../../ports.ts';
import { type Checksum, renderChecksum } from '../../reports/manifest.ts';
import { renderOwner } from './export-listed.ts';

/** Writes checksums below the id of their run; nothing where there are none. */
export class ChecksumsFile {
  readonly #file: Pick<ReportFile, 'write'>;
  #owner: string;

  constructor(file: Pick<ReportFile, 'write'>, run: string) {
    this.#file = file;
    this.#owner = renderOwner(run);
  }

  async write(files: readonly Checksum[]): Promise<void> {
    if (files.length === 0) return;
    await this.#file.write(this.#owner + files.map(renderChecksum).join(''));
    this.#owner = '';
  }
}
