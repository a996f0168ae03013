/** The drawings that float above a sheet: pictures, and what cannot be sent as one. */

import { type Message, message } from '../../messages/message.ts';
import { type Relation, readPart, readRelations, relatedPart } from './parts.ts';
import { WorkbookError } from './workbook-error.ts';
import { type Attributes, readXml } from './xml.ts';
import type { Package, Part } from './zip.ts';

/** Something drawn above the sheet, with the cell under its upper left corner. */
export interface Drawing {
  /** From 1. */
  readonly row: number;
  /** From 0. */
  readonly column: number;
  /** The name of the picture's part; null for what is not a picture. */
  readonly picture: string | null;
  /** Why it cannot be sent, and what to do; null for a picture. */
  readonly failure: Message | null;
  /** How far below the top of its row it begins, in EMU, as all lengths of drawings. */
  readonly offset: number;
  /** The row that it ends in, from 1, and how far below the top of that; its beginning where nothing is known of it. */
  readonly to: { readonly row: number; readonly offset: number } | null;
  /** Where it is known in place of an end. */
  readonly height: number | null;
  /** A shape without a text: it says nothing, whether it is seen or not. */
  readonly isEmpty: boolean;
  /** Hidden in the list of what is drawn on the sheet. */
  readonly isHidden: boolean;
  /** It has no height; a line or shape, which may be seen without one, no width either. */
  readonly isFlat: boolean;
  /** It has no width; the same holds. */
  readonly isThin: boolean;
  /** Only a part of the picture is shown. */
  readonly isCropped: boolean;
}

const mostDrawings = 200_000;
/** EMU in a pixel, which the older drawing counts in. */
const legacyPixel = 9_525;

/** By element: what stands in a drawing besides pictures. */
const others = {
  grpSp: 'drawing.group',
  graphicFrame: 'drawing.chart',
  sp: 'drawing.shape',
  cxnSp: 'drawing.line',
  contentPart: 'drawing.handwriting',
} as const;
const otherKinds = Object.keys(others) as (keyof typeof others)[];

/** The drawings of a sheet, in no particular order. */
export async function readDrawings(
  source: Package,
  sheet: Part,
  relations: ReadonlyMap<string, Relation>,
): Promise<readonly Drawing[]> {
  const found: Drawing[] = [];
  for (const { type, target, isOutside } of relations.values()) {
    const part = type === 'drawing' && !isOutside ? source.part(target) : null;
    if (part !== null) found.push(...(await readDrawing(source, part)));
  }
  const types = new Set([...relations.values()].map(({ type }) => type));
  const hasObjects = types.has('oleObject') || types.has('package');
  if (hasObjects) found.push(...(await readObjects(source, sheet, found)));
  const legacy = relatedPart(source, relations, 'vmlDrawing');
  // It repeats objects and buttons, which are drawn in the newer way.
  const isRepeated = hasObjects || types.has('control');
  if (legacy !== null) found.push(...(await readLegacy(source, legacy, isRepeated)));
  return found;
}

/** Where an anchor begins and ends: `from row`, `to rowOff` and so on; `cx` and `cy` where it has a size in place of an end. */
type Numbers = Record<string, number>;

interface Anchor {
  readonly isPlaced: boolean;
  readonly numbers: Numbers;
  readonly kinds: Set<string>;
  /** Of the drawing itself, not of those that it groups. */
  isHidden: boolean | null;
  embedded: string | null;
  isLinked: boolean;
  isCropped: boolean;
  /** Turned or mirrored: its bytes show it otherwise. */
  isTurned: boolean;
}

async function readDrawing(source: Package, part: Part): Promise<Drawing[]> {
  const relations = await readRelations(source, part.name);
  const found: Drawing[] = [];
  let anchor: Anchor | null = null;
  let corner = '';
  let field = '';
  let text = '';
  let fallbacks = 0;

  const open = (name: string, attributes: Attributes): void => {
    if (name === 'Fallback') fallbacks += 1;
    if (fallbacks > 0) return;
    if (/^(twoCell|oneCell|absolute)Anchor$/.test(name)) {
      anchor = {
        isPlaced: name !== 'absoluteAnchor',
        numbers: {},
        kinds: new Set(),
        isHidden: null,
        embedded: null,
        isLinked: false,
        isCropped: false,
        isTurned: false,
      };
    } else if (anchor === null) return;
    else if (name === 'from' || name === 'to') corner = name;
    else if (corner !== '') {
      field = name;
      text = '';
    } else if (name === 'ext' && anchor.kinds.size === 0) {
      // Its own size: that of the drawing, further in, is zero where some programs write no other.
      for (const side of ['cx', 'cy'])
        if (attributes[side] !== undefined) anchor.numbers[side] = Number(attributes[side]);
    } else if (name === 'cNvPr') {
      anchor.isHidden ??= attributes.hidden === '1' || attributes.hidden === 'true';
      anchor.kinds.add(name);
    } else if (name === 'blip') {
      anchor.embedded ??= attributes[':embed'] ?? null;
      anchor.isLinked ||= attributes[':link'] !== undefined;
    } else if (name === 'srcRect')
      anchor.isCropped ||= Object.values(attributes).some((side) => Number(side) > 0);
    else if (name === 'xfrm') anchor.isTurned ||= isTurned(attributes);
    else anchor.kinds.add(name);
  };
  const close = (name: string): void => {
    if (name === 'Fallback') fallbacks -= 1;
    if (fallbacks > 0 || anchor === null) return;
    if (name === corner) corner = '';
    else if (corner !== '' && name === field) anchor.numbers[`${corner} ${field}`] = Number(text);
    else if (/^(twoCell|oneCell|absolute)Anchor$/.test(name)) {
      found.push(drawingOf(anchor, relations));
      if (found.length > mostDrawings) throw new WorkbookError(message('workbook.drawings'));
      anchor = null;
    }
  };
  await readPart(source, part, {
    open,
    close,
    text(piece) {
      if (corner !== '' && text.length < 100) text += piece;
    },
  });
  return found;
}

function drawingOf(anchor: Anchor, relations: ReadonlyMap<string, Relation>): Drawing {
  const { numbers, kinds, embedded } = anchor;
  const span = anchor.isPlaced ? spanOf(numbers) : null;
  if (span === null) throw new WorkbookError(message('workbook.no-cell'));
  const other = otherKinds.find((kind) => kinds.has(kind));
  const part = embedded === null ? undefined : relations.get(embedded);
  const failure = ((): Message | null => {
    if (kinds.has('oMath') || kinds.has('oMathPara')) return message('drawing.equation');
    if (other !== undefined) return message(others[other]);
    if (embedded === null && anchor.isLinked) return message('cell.only-linked');
    if (part === undefined || part.isOutside) return message('cell.no-picture');
    return anchor.isTurned ? message('drawing.turned') : null;
  })();
  const isArea = other === undefined || other === 'graphicFrame';
  const hasText = kinds.has('t');
  const isNothing = span.isFlat && span.isThin && !hasText;
  return {
    ...span,
    picture: failure === null ? (part?.target ?? null) : null,
    failure,
    isEmpty: (other === 'sp' || other === 'cxnSp') && !hasText && embedded === null,
    // Office calls what it draws in another way, such as equations and buttons, hidden as well.
    isHidden: anchor.isHidden === true && !kinds.has('compatExt'),
    isFlat: isArea ? span.isFlat : isNothing,
    isThin: isArea ? span.isThin : isNothing,
    isCropped: anchor.isCropped,
  };
}

/** Angles are in 60,000ths of a degree. */
function isTurned({ rot = '0', flipH, flipV }: Attributes): boolean {
  return Number(rot) % 21_600_000 !== 0 || [flipH, flipV].some((flip) => flip === '1' || flip === 'true');
}

/** null without a cell that it begins in. */
function spanOf(
  numbers: Numbers,
): Pick<Drawing, 'row' | 'column' | 'offset' | 'to' | 'height' | 'isFlat' | 'isThin'> | null {
  const { 'from row': row, 'from col': column, 'to row': toRow, 'to col': toColumn, cx, cy } = numbers;
  if (row === undefined || column === undefined || !(row >= 0) || !(column >= 0)) return null;
  const { 'from rowOff': offset = 0, 'from colOff': left = 0 } = numbers;
  const { 'to rowOff': toOffset = 0, 'to colOff': toLeft = 0 } = numbers;
  const end = toRow === undefined ? { row: row + 1, offset } : { row: toRow + 1, offset: toOffset };
  return {
    row: row + 1,
    column,
    offset,
    to: toRow === undefined && cy !== undefined ? null : end,
    height: cy ?? null,
    isFlat: cy === 0 || (toRow === row && toOffset === offset),
    isThin: cx === 0 || (toColumn === column && toLeft === left),
  };
}

/** Notes of a hundred thousand rows. */
const legacyMaxBytes = 128 * 1024 * 1024;
/** An element of a shape that shows a picture. */
const legacyPicture = /<v:(?:imagedata|fill)\b[^<>]*?\s(?:o:relid|r:id)\s*=\s*["']([^"']+)/i;

/**
 * Pictures of notes, and those that only the older drawing has. That is read as text: programs write it in a way that is not always
 * XML. The pictures at the head and foot of printed pages stand in no cell.
 */
async function readLegacy(source: Package, part: Part, isRepeated: boolean): Promise<Drawing[]> {
  if (part.sizeBytes > legacyMaxBytes) return [];
  const text = Buffer.from(await source.read(part, legacyMaxBytes)).toString('utf8');
  const relations = await readRelations(source, part.name);
  return text.split(/<\/v:(?:shape|rect|oval|roundrect)>/).flatMap((shape) => {
    if (!relations.has(legacyPicture.exec(shape)?.[1] ?? '')) return [];
    const isNote = /ObjectType\s*=\s*["']Note/i.test(shape);
    const numbersIn = (tag: string): number[] =>
      (new RegExp(`<x:${tag}>([^<]*)`).exec(shape)?.[1] ?? '-1').split(',').map(Number);
    const [column = -1, , row = -1, top = 0, , , toRow = row, bottom = 0] = numbersIn('Anchor');
    const ends = { 'from rowOff': top * legacyPixel, 'to row': toRow, 'to rowOff': bottom * legacyPixel };
    const place = isNote
      ? { 'from col': numbersIn('Column')[0] ?? -1, 'from row': numbersIn('Row')[0] ?? -1 }
      : { 'from col': column, 'from row': row, ...ends };
    const span = isNote || !isRepeated ? spanOf(place) : null;
    if (span === null) return [];
    const isHidden = !isNote && /visibility\s*:\s*hidden/i.test(shape);
    const failure = message(isNote ? 'drawing.note' : 'drawing.legacy');
    return [{ ...span, picture: null, failure, isHidden, isEmpty: false, isThin: false, isCropped: false }];
  });
}

/**
 * Embedded objects: the sheet names them after its rows, and older programs do not draw them among the others. One
 * without a place could belong to any row.
 */
async function readObjects(source: Package, sheet: Part, drawn: readonly Drawing[]): Promise<Drawing[]> {
  const found: Drawing[] = [];
  let objects = 0;
  let corner = '';
  let field = '';
  let numbers: Numbers = {};
  await readXml(source.stream(sheet, Number.MAX_SAFE_INTEGER), sheet.name, {
    open(name) {
      if (name === 'oleObject') {
        objects += 1;
        numbers = {};
      } else if (objects > 0 && (name === 'from' || name === 'to')) corner = name;
      else if (corner !== '') field = name;
    },
    close(name) {
      if (name === corner) corner = '';
      if (name === field) field = '';
      const span = name === 'oleObject' ? spanOf(numbers) : null;
      if (span === null) return;
      const seen = { isEmpty: false, isHidden: false, isFlat: false, isThin: false, isCropped: false };
      found.push({ ...span, ...seen, picture: null, failure: message('drawing.object') });
    },
    text(text) {
      if (corner !== '' && field !== '') numbers[`${corner} ${field}`] = Number(text);
    },
  });
  const isSeen = ({ isHidden, isFlat, isThin }: Drawing): boolean => !isHidden && !isFlat && !isThin;
  const shapes = drawn.filter((drawing) => drawing.failure !== null && isSeen(drawing)).length;
  if (found.length === 0 && shapes < objects) throw new WorkbookError(message('workbook.objects'));
  return found;
}
