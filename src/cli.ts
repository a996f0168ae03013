#!/usr/bin/env node
/** The program's first file: looks at the Node version before anything else is imported. */

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);

if (major < 22 || (major === 22 && minor < 19)) {
  process.stderr.write(
    `batch needs Node.js 22.19 or newer, this is ${process.versions.node}; see https://nodejs.org\n`,
  );
  process.exitCode = 2;
} else {
  // Colours are off as NO_COLOR says; with both set, Node would warn of it in the middle of what is shown.
  if (process.env.NO_COLOR) delete process.env.FORCE_COLOR;
  // A umask that takes rights from the user, too, makes folders that the program itself may not enter.
  process.umask(process.umask() & ~0o700);
  const { keepCompiledCode } = await import('./cli/compile-cache.ts');
  keepCompiledCode();
  const { main } = await import('./cli/main.ts');
  await main(process.argv.slice(2));
}

export {};
