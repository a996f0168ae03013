/** How the user started the program, so that the commands that it prints work where they are typed. */

/** `npx batch` under npx, because in a checkout the shell does not find `batch`; else the installed name that was typed. */
export function typedName(env: Readonly<Record<string, string | undefined>>, script: string): string {
  const line = env.npm_lifecycle_event === 'npx' ? (env.npm_lifecycle_script ?? '') : '';
  const [, underNpx] = /^["']?(batch(?:-video)?)["']?(?:\s|$)/.exec(line) ?? [];
  if (underNpx !== undefined) return `npx ${underNpx}`;
  return /[\\/]batch-video$/.test(script) ? 'batch-video' : 'batch';
}

const name = typedName(process.env, process.argv[1] ?? '');

/** The program as the user types it. */
export function programName(): string {
  return name;
}

/** The commands in a line as the user types them: in backticks, in a column, or after a label (`Next: `). */
export function asTyped(line: string): string {
  return line.replace(
    /(`| {3}|(?:^ *|\. )[A-Z][\w ]*: |：)batch (?=[a-z-]|COMMAND)/g,
    (_, before) => `${before}${name} `,
  );
}
