/** Where the files of a fleet go, and how they are read again past the program that wrote them. */

import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Surroundings } from '../cli/support/program.ts';
import { type Swift, swiftKeys } from './swift.ts';

export interface FleetOutputs {
  /** As it is written after `--out`. */
  readonly address: string;
  /** What a process needs to reach it. */
  readonly env: NonNullable<Surroundings['env']>;
  /** The text of a file. Throws where there is none. */
  text(path: string): string;
  /** The digests (SHA-256) of the bytes of all files, by path. */
  sums(): ReadonlyMap<string, string>;
}

/** A folder that all workers see. */
export function folderOutputs(folder: string): FleetOutputs {
  const files = (): string[] => {
    if (!existsSync(folder)) return [];
    const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
    return entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name));
  };
  const sumOf = (file: string): string => createHash('sha256').update(readFileSync(file)).digest('hex');
  return {
    address: folder,
    env: {},
    text: (path) => readFileSync(join(folder, path), 'utf8'),
    sums: () => new Map(files().map((file) => [file.slice(folder.length + 1), sumOf(file)])),
  };
}

/** A bucket of this Swift, which the program reaches at `endpoint`; rclone reads it directly. */
export function bucketOutputs(swift: Swift, bucket: string, endpoint = swift.endpoint): FleetOutputs {
  const prefix = 'fleet';
  return {
    address: `s3://${bucket}/${prefix}`,
    env: { ...swiftKeys, AWS_REGION: 'us-east-1', AWS_ENDPOINT_URL: endpoint },
    text(path) {
      const bytes = swift.readByRclone(bucket, `${prefix}/${path}`);
      if (bytes === null) throw new Error(`the bucket has no ${path}`);
      return bytes.toString();
    },
    sums: () => swift.sumsByRclone(`${bucket}/${prefix}`),
  };
}
