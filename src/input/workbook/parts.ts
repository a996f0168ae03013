/** Finds the parts of a workbook by the relations between them. */

import { message } from '../../messages/message.ts';
import { WorkbookError } from './workbook-error.ts';
import { readXml, type XmlEvents } from './xml.ts';
import type { Package, Part } from './zip.ts';

/** A link from one part to another, or to something outside. */
export interface Relation {
  readonly id: string;
  /** The last segment of its type: files of different programs have different addresses before it. */
  readonly type: string;
  /** The name of the part it leads to, or the address outside. */
  readonly target: string;
  readonly isOutside: boolean;
}

/** Lists, styles and drawings; only sheets and texts are larger, and those are read as a stream. */
const partMaxBytes = 128 * 1024 * 1024;

/** Reads a small part as XML. */
export function readPart(source: Package, part: Part, events: XmlEvents): Promise<void> {
  return readXml(source.stream(part, partMaxBytes), part.name, events);
}

/** The relations of a part by id; none where it has no list of them. */
export async function readRelations(source: Package, name: string): Promise<ReadonlyMap<string, Relation>> {
  const relations = new Map<string, Relation>();
  const folder = name.slice(0, name.lastIndexOf('/') + 1);
  const part = source.part(`${folder}_rels/${name.slice(folder.length)}.rels`);
  if (part === null) return relations;
  await readPart(source, part, {
    open(tag, { Id: id, Type: type = '', Target: target = '', TargetMode: mode }) {
      if (tag !== 'Relationship' || id === undefined) return;
      const isOutside = mode === 'External';
      const kind = type.slice(type.lastIndexOf('/') + 1);
      relations.set(id, {
        id,
        type: kind,
        target: isOutside ? target : resolveTarget(folder, target),
        isOutside,
      });
    },
    close() {},
    text() {},
  });
  return relations;
}

/** The part that a relation of one of these types leads to; null for none. */
export function relatedPart(
  source: Package,
  relations: ReadonlyMap<string, Relation>,
  type: string,
): Part | null {
  for (const relation of relations.values())
    if (relation.type === type && !relation.isOutside) return source.part(relation.target);
  return null;
}

/** The part of that name; throws `WorkbookError` where it is missing. */
export function requirePart(source: Package, name: string): Part {
  const part = source.part(name);
  if (part === null)
    throw new WorkbookError(message('damaged.no-part', { part: JSON.stringify(name.slice(0, 80)) }));
  return part;
}

/** A name inside the package: `..` never leads out of it. */
function resolveTarget(folder: string, target: string): string {
  const names: string[] = [];
  for (const name of (target.startsWith('/') ? target : folder + target).replaceAll('\\', '/').split('/')) {
    if (name === '..') names.pop();
    else if (name !== '' && name !== '.') names.push(name);
  }
  return names.join('/');
}
