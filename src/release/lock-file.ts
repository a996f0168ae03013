/** Pure. What `package-lock.json` says, and whether the packages that are installed are those. */

interface LockedPackage {
  readonly version?: string;
  readonly integrity?: string;
  readonly optional?: boolean;
  /** Optional, and needed for the development alone. */
  readonly devOptional?: boolean;
}

/** By their place: `node_modules/zod`; '' is the project itself. npm keeps the same of what it has installed. */
export interface LockFile {
  readonly packages: Readonly<Record<string, LockedPackage>>;
}

const isSame = (one: LockedPackage | undefined, other: LockedPackage): boolean =>
  one?.version === other.version && one?.integrity === other.integrity;

const mayLack = ({ optional = false, devOptional = false }: LockedPackage): boolean =>
  optional || devOptional;

/** The places where what is installed is not what the lock file names: a release would hold what nobody has tested. */
export function differingPackages(locked: LockFile, installed: LockFile): readonly string[] {
  const others = Object.entries(installed.packages).filter(
    ([at, found]) => !isSame(locked.packages[at], found),
  );
  const missing = Object.entries(locked.packages).filter(
    ([at, wanted]) => at !== '' && installed.packages[at] === undefined && !mayLack(wanted),
  );
  return [...others, ...missing].map(([at]) => at);
}

/** The version that code of the project imports by this name. */
export function lockedVersion({ packages }: LockFile, name: string): string {
  const version = packages[`node_modules/${name}`]?.version;
  if (version === undefined) throw new Error(`package-lock.json has no ${name}`);
  return version;
}
