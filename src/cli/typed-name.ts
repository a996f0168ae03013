/** How the user started the program. */

/** `npx batch` under npx, because in a checkout the shell does not find `batch`; else the installed name that was typed. */
export function typedName(env: Readonly<Record<string, string | undefined>>, script: string): string {
  const line = env.npm_lifecycle_event === 'npx' ? (env.npm_lifecycle_script ?? '') : '';
  const [, underNpx] = /^["']?(batch(?:-video)?)["']?(?:\s|$)/.exec(line) ?? [];
  if (underNpx !== undefined) return `npx ${underNpx}`;
  return /[\\/]batch-video$/.test(script) ? 'batch-video' : 'batch';
}
