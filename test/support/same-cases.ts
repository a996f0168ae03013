import fc from 'fast-check';
import { isNightly } from './nightly.ts';

// A red test is then the fault of the change under test, on every machine. Only the nightly run looks for cases that nobody has seen.
if (!isNightly) fc.configureGlobal({ seed: 20_260_301 });
