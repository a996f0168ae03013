import fc from 'fast-check';
import { nightSeed } from './nightly.ts';

// A red test is then the fault of the change under test, on every machine. Only the night looks for cases that nobody has seen.
fc.configureGlobal({ seed: nightSeed });
