/**
 * Pure. The list of all that is shipped (SBOM), from what `npm sbom` says of the lock file. CycloneDX, because it keeps each package's
 * checksum and whether it is optional, and because scanners for known faults read it as it is; it needs no name for a person or a
 * document, as SPDX does.
 */

export interface Component {
  readonly 'bom-ref': string;
  readonly type: string;
  readonly name: string;
  readonly version: string;
  readonly purl: string;
  readonly hashes?: readonly { readonly alg: string; readonly content: string }[];
  readonly licenses?: readonly { readonly license: { readonly id: string } }[];
  readonly properties?: readonly { readonly name: string; readonly value: string }[];
  readonly pedigree?: { readonly commits: readonly { readonly uid: string }[] };
}

interface Needs {
  readonly ref: string;
  readonly dependsOn: readonly string[];
}

/** The parts of CycloneDX that are changed here; the others stay as npm writes them. */
export interface Bill {
  readonly serialNumber?: string;
  readonly metadata: { readonly timestamp?: string; readonly component: Component };
  readonly components: readonly Component[];
  readonly dependencies: readonly Needs[];
}

interface Shipped {
  /** What installs with the package (`--omit=dev`), and the same with all that builds it. */
  readonly installed: Bill;
  readonly whole: Bill;
  /** `NAME@VERSION` of packages that are parts of the program itself, and no longer to be seen among those that it installs. */
  readonly built: readonly string[];
  /** `NAME@VERSION` of packages that install with it and are among those for development too: npm leaves them out, and what they need. */
  readonly twofold: readonly string[];
  /** What the packages to unzip have besides. */
  readonly runtimes: readonly Component[];
  readonly name: string;
  readonly commit: string;
  /** When the commit was made: the same commit has the same list. */
  readonly at: string;
}

/** The packages that a file of licences names: `zod (MIT)` on a line of its own. */
export function packagesIn(licences: string): readonly string[] {
  return [...licences.matchAll(/^((?:@[\w.-]+\/)?[\w.-]+) \([^()\n]+\)$/gm)].map(([, name = '']) => name);
}

const builtIn = { name: 'batch-video:part-of-the-program', value: 'true' };

/** Without a serial number: that is made of the text. npm calls the project as its folder is called. */
export function shippedBill({ installed, whole, built, twofold, runtimes, name, commit, at }: Shipped): Bill {
  const own = installed.metadata.component;
  const parts = built.map((ref) => {
    const part = whole.components.find((found) => found['bom-ref'] === ref);
    if (part === undefined) throw new Error(`npm knows no ${ref}, which is part of the program`);
    return { ...part, properties: [builtIn] };
  });
  const leftOut = withNeeds(twofold, whole.dependencies);
  const others = whole.components.filter((component) => leftOut.has(component['bom-ref']));
  const known = new Set(installed.components.map((component) => component['bom-ref']));
  const added = [...parts, ...others, ...runtimes].filter((component) => !known.has(component['bom-ref']));
  const components = [...installed.components, ...added];
  const refs = new Set([...components, own].map((component) => component['bom-ref']));
  const more = new Set(added.map((component) => component['bom-ref']));
  const needs = [...installed.dependencies, ...whole.dependencies.filter(({ ref }) => more.has(ref))];
  const { serialNumber, ...rest } = installed;
  return {
    ...rest,
    metadata: {
      ...installed.metadata,
      timestamp: at,
      component: { ...own, name, pedigree: { commits: [{ uid: commit }] } },
    },
    components,
    dependencies: needs.map(({ ref, dependsOn }) => ({
      ref,
      dependsOn: [
        ...new Set([...dependsOn, ...(ref === own['bom-ref'] ? [...built, ...twofold] : [])]),
      ].filter((to) => refs.has(to)),
    })),
  };
}

/** These packages, and all that they need. */
function withNeeds(refs: readonly string[], dependencies: readonly Needs[]): ReadonlySet<string> {
  const needed = new Set(refs);
  const needsOf = new Map(dependencies.map(({ ref, dependsOn }) => [ref, dependsOn]));
  // A set also gives what is added while it is read.
  for (const ref of needed) for (const next of needsOf.get(ref) ?? []) needed.add(next);
  return needed;
}
