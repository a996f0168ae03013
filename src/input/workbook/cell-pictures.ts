/** The pictures that are the content of cells: those of WPS, named by a formula, and those that Excel places in a cell. */

import { type Message, message } from '../../messages/message.ts';
import { type Relation, readPart, readRelations, relatedPart } from './parts.ts';
import type { SheetCell } from './sheet.ts';
import type { Package, Part } from './zip.ts';

/** The picture of a cell: the name of its part, or why it cannot be sent. */
type CellPicture = { readonly part: string } | { readonly failure: Message };

/** The picture in a cell; null for a cell that holds none. */
export type FindCellPicture = (cell: SheetCell) => CellPicture | null;

/** Reads the lists of pictures. `relations` are those of the workbook part. */
export async function readCellPictures(
  source: Package,
  relations: ReadonlyMap<string, Relation>,
): Promise<FindCellPicture> {
  const named = await readNamedPictures(source, relations);
  const rich = await readRichPictures(source, relations);
  return (cell) => {
    const isNamed = /DISPIMG\s*\(/i.test(cell.formula) || /^=(?:_xlfn\.)?DISPIMG\s*\(/i.test(cell.text);
    if (isNamed) {
      const name = /^=?\s*(?:_xlfn\.)?DISPIMG\s*\(\s*"([^"]+)"\s*(?:,\s*\d+\s*)?\)\s*$/i.exec(
        cell.formula === '' ? cell.text : cell.formula,
      )?.[1];
      if (name === undefined) return { failure: message('cell.joined') };
      const part = named.get(name);
      return part === undefined ? { failure: message('cell.gone') } : { part };
    }
    if (/IMAGE\s*\(/i.test(cell.formula)) return { failure: message('cell.linked') };
    if (cell.richValue === 0) return null;
    const part = rich(cell.richValue);
    if (part !== null) return { part };
    return cell.kind === 'error' ? { failure: message('cell.unknown') } : null;
  };
}

/** Name -> part. The relation is found by its target: programs write different years into its type. */
async function readNamedPictures(
  source: Package,
  relations: ReadonlyMap<string, Relation>,
): Promise<ReadonlyMap<string, string>> {
  const listed = [...relations.values()].find(({ target }) => /(^|\/)cellimages\.xml$/i.test(target));
  const part = source.part(listed?.target ?? 'xl/cellimages.xml');
  const names = new Map<string, string>();
  if (part === null) return names;
  const own = await readRelations(source, part.name);
  let name: string | null = null;
  await readPart(source, part, {
    open(tag, attributes) {
      if (tag === 'cellImage') name = null;
      else if (tag === 'cNvPr') name ??= attributes.name ?? null;
      else if (tag === 'blip' && name !== null) {
        const relation = own.get(attributes[':embed'] ?? '');
        if (relation !== undefined && !relation.isOutside) names.set(name, relation.target);
      }
    },
    close() {},
    text() {},
  });
  return names;
}

/** The part of the picture that the value with this number (from 1) is; null for other values. */
async function readRichPictures(
  source: Package,
  relations: ReadonlyMap<string, Relation>,
): Promise<(number: number) => string | null> {
  const parts = ['sheetMetadata', 'rdRichValue', 'rdRichValueStructure', 'richValueRel'].map((type) =>
    relatedPart(source, relations, type),
  );
  const [metadata, values, structures, links] = parts;
  if (!metadata || !values || !structures || !links) return () => null;
  const indexes = await readMetadata(source, metadata);
  const placeOfPicture = await readStructures(source, structures);
  const targets = await readLinks(source, links);
  const pictures = await readValues(source, values, placeOfPicture);
  return (number) => {
    const value = indexes[number - 1] ?? null;
    const link = value === null ? null : (pictures[value] ?? null);
    return link === null ? null : (targets[link] ?? null);
  };
}

/** By number of the cell's metadata: the index of its rich value; null where it is something else. */
async function readMetadata(source: Package, part: Part): Promise<readonly (number | null)[]> {
  const types: string[] = [];
  const future: number[] = [];
  const cells: (number | null)[] = [];
  let section = '';
  let value: number | null = null;
  await readPart(source, part, {
    open(name, attributes) {
      if (name === 'metadataType') types.push(attributes.name ?? '');
      else if (name === 'futureMetadata') section = attributes.name === 'XLRICHVALUE' ? 'future' : '';
      else if (name === 'valueMetadata') section = 'cells';
      else if (name === 'cellMetadata') section = '';
      else if (name === 'bk') value = null;
      else if (name === 'rvb' && section === 'future') value = Number(attributes.i);
      else if (name === 'rc' && section === 'cells' && types[Number(attributes.t) - 1] === 'XLRICHVALUE')
        value = Number(attributes.v);
    },
    close(name) {
      if (name === 'bk' && section === 'future') future.push(value ?? -1);
      else if (name === 'bk' && section === 'cells') cells.push(value);
    },
    text() {},
  });
  return cells.map((at) => (at === null ? null : (future[at] ?? null)));
}

/** By structure: which of its values is the link to a picture; -1 for other structures. */
async function readStructures(source: Package, part: Part): Promise<readonly number[]> {
  const places: number[] = [];
  let keys = 0;
  let isPicture = false;
  await readPart(source, part, {
    open(name, attributes) {
      if (name === 's') {
        isPicture = attributes.t === '_localImage';
        keys = 0;
        places.push(-1);
      } else if (name === 'k') {
        if (isPicture && attributes.n === '_rvRel:LocalImageIdentifier') places[places.length - 1] = keys;
        keys += 1;
      }
    },
    close() {},
    text() {},
  });
  return places;
}

/** By rich value: the number of its link to a picture; null for none. */
async function readValues(
  source: Package,
  part: Part,
  placeOfPicture: readonly number[],
): Promise<readonly (number | null)[]> {
  const links: (number | null)[] = [];
  let wanted = -1;
  let at = -1;
  let text = '';
  await readPart(source, part, {
    open(name, attributes) {
      if (name === 'rv') {
        wanted = placeOfPicture[Number(attributes.s)] ?? -1;
        at = -1;
        links.push(null);
      } else if (name === 'v') {
        at += 1;
        text = '';
      }
    },
    close(name) {
      if (name === 'v' && at === wanted) links[links.length - 1] = Number(text);
    },
    text(piece) {
      if (text.length < 100) text += piece;
    },
  });
  return links;
}

/** The targets of the links, in order. */
async function readLinks(source: Package, part: Part): Promise<readonly (string | null)[]> {
  const relations = await readRelations(source, part.name);
  const targets: (string | null)[] = [];
  await readPart(source, part, {
    open(name, attributes) {
      if (name !== 'rel') return;
      const relation = relations.get(attributes[':id'] ?? '');
      targets.push(relation === undefined || relation.isOutside ? null : relation.target);
    },
    close() {},
    text() {},
  });
  return targets;
}
