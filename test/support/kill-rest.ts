import { afterAll } from 'vitest';
import { killRest } from '../cli/support/program.ts';

afterAll(killRest);
