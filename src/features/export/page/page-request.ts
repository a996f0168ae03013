import type { PageAssets } from '../../../ports.ts';
import type { Language } from '../../../text/languages.ts';

/** `--page`: what the page of an export shows. */
export interface PageRequest {
  readonly assets: PageAssets;
  /** What it is called; null for what people call the run. */
  readonly title: string | null;
  /** The column that gives each video its heading, as the user wrote it; null for none. */
  readonly chapters: string | null;
  readonly hasIds: boolean;
  readonly hasAnswers: boolean;
  /** Each video has a QR code; the export then has addresses. */
  readonly hasCodes: boolean;
  /** Null leaves it to the browser. */
  readonly language: Language | null;
}
