/** `npm run package:windows` and its sisters: makes a package to unzip and start, in `release/`. */

import { statSync } from 'node:fs';
import { makePackage } from './package.ts';
import { isSystemName, systems } from './systems.ts';

const [, , name] = process.argv;
if (!isSystemName(name)) throw new Error(`say which one: ${Object.keys(systems).join(', ')}`);
const path = await makePackage(name);
process.stdout.write(`${path}: ${(statSync(path).size / 1e6).toFixed(1)} MB\n`);
