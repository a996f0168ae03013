/** Draws the videos and frames: the question in large type, and the progress. */

import {
  type Canvas,
  createCanvas,
  GlobalFonts,
  type Image,
  loadImage,
  type SKRSContext2D,
} from '@napi-rs/canvas';
import { type Layout, layOut, type Size } from './clip-layout.ts';
import { type FormulaPart, type Means, type Part, partsOf, type Script } from './clip-text.ts';
import { muxWebM } from './webm.ts';

const videoSize: Size = { width: 960, height: 540 };
const frameSize: Size = { width: 480, height: 270 };

const pictureCount = 2;
const usualSeconds = 4;
/** 0..100. Every picture is a key frame with all the text: this keeps a clip under 100 KB, and letters sharp. */
const webpQuality = 60;

/** Font sizes to try, the largest first. Relative to the height. */
const fontShares = [0.12, 0.1, 0.085, 0.07, 0.06];

/** The first family that has a character is used; those of Linux, macOS and Windows. */
const latinFamilies = ['Noto Sans', 'DejaVu Sans', 'Helvetica Neue', 'Segoe UI'];
/** Of the Noto fonts in one file only the Japanese one is found, which has the Chinese characters too. */
const chineseFamilies = [
  'Noto Sans CJK SC',
  'Noto Sans SC',
  'PingFang SC',
  'Microsoft YaHei',
  'Noto Sans CJK JP',
];
const fontList = (names: readonly string[]): string =>
  [...names.map((name) => `"${name}"`), 'sans-serif'].join(', ');
export const families: Readonly<Record<Script, string>> = {
  latin: fontList([...latinFamilies, ...chineseFamilies]),
  chinese: fontList(chineseFamilies),
};

const colours = { back: '#14213d', text: '#f5f3ee', muted: '#93a1bd', bar: '#fca311' } as const;

/** A WebM that shows `text` above a progress bar. The same text and length give the same bytes. */
export async function drawVideo(text: string, seconds = usualSeconds): Promise<Uint8Array> {
  const canvas = drawText(videoSize, 'batch rehearsal', await setText(videoSize, text));
  const pictures = Array.from({ length: pictureCount }, (_, i) => {
    drawBar(canvas, (i + 1) / pictureCount);
    return canvas.encodeSync('webp', webpQuality);
  });
  return muxWebM(pictures, videoSize, seconds / pictureCount);
}

/** A small PNG that shows the number of a step and the start of `text`. */
export async function drawFrame(text: string, step: number, stepCount: number): Promise<Uint8Array> {
  const canvas = drawText(frameSize, `step ${step} of ${stepCount}`, await setText(frameSize, text));
  drawBar(canvas, step / stepCount);
  return canvas.encodeSync('png');
}

/** One reused canvas per size: their pixels are freed only by the garbage collector, which does not see their size. */
const canvases = new Map<Size, Canvas>();

function canvasOf(size: Size): Canvas {
  const canvas = canvases.get(size) ?? createCanvas(size.width, size.height);
  canvases.set(size, canvas);
  return canvas;
}

const marginOf = ({ width }: Size): number => Math.round(width / 16);

function drawText(size: Size, heading: string, { layout, pictures }: SetText): Canvas {
  const margin = marginOf(size);
  const canvas = canvasOf(size);
  const pen = canvas.getContext('2d');
  pen.fillStyle = colours.back;
  pen.fillRect(0, 0, size.width, size.height);
  pen.textBaseline = 'top';
  pen.fillStyle = colours.muted;
  pen.font = `${Math.round(size.height * 0.05)}px ${families.latin}`;
  pen.fillText(heading, margin, margin * 0.6);
  pen.textBaseline = 'alphabetic';
  pen.fillStyle = colours.text;
  let y = margin * 1.4;
  for (const { parts, height, depth } of layout.lines) {
    y += height * layout.fontSize;
    drawLine(pen, parts, layout.fontSize, { x: margin, y: Math.round(y) }, pictures);
    y += depth * layout.fontSize;
  }
  return canvas;
}

/** `done` is 0..1: how much of the bar is full. */
function drawBar(canvas: Canvas, done: number): void {
  const margin = marginOf(canvas);
  const pen = canvas.getContext('2d');
  pen.fillStyle = colours.bar;
  const length = Math.round((canvas.width - 2 * margin) * done);
  pen.fillRect(margin, canvas.height - margin, length, Math.round(canvas.height / 60));
}

/** Draws the parts with the point at their start, on the line the letters stand on. */
function drawLine(
  pen: SKRSContext2D,
  parts: readonly Part[],
  fontSize: number,
  { x, y }: { readonly x: number; readonly y: number },
  pictures: SetText['pictures'],
): void {
  let at = x;
  for (const part of parts) {
    if (part.kind === 'word') {
      pen.font = `${fontSize}px ${families[part.script]}`;
      pen.fillText(part.text, at, y);
    } else {
      const picture = pictures.get(part);
      const { margin, above } = pictureSize(part, fontSize);
      if (picture !== undefined) pen.drawImage(picture, Math.round(at) - margin, y - above);
    }
    at += part.width * fontSize;
  }
}

interface SetText {
  readonly layout: Layout;
  readonly pictures: ReadonlyMap<FormulaPart, Image>;
}

/** Recent texts, by height and text: the frames of one task share one, and measuring is costly. */
const setTexts = new Map<string, Promise<SetText>>();
const keptTexts = 256;

function setText(size: Size, text: string): Promise<SetText> {
  const name = `${size.height} ${text}`;
  const known = setTexts.get(name) ?? setAnew(size, text);
  if (setTexts.size >= keptTexts) setTexts.clear();
  setTexts.set(name, known);
  return known;
}

async function setAnew({ width, height }: Size, text: string): Promise<SetText> {
  const margin = marginOf({ width, height });
  const box = { width: width - 2 * margin, height: height - 3 * margin };
  const fontSizes = fontShares.map((share) => Math.round(height * share));
  const layout = layOut(await partsOf(text, means), box, fontSizes, means);
  const formulas = layout.lines.flatMap(({ parts }) => parts.filter((part) => part.kind === 'formula'));
  const pictures = new Map<FormulaPart, Image>();
  for (const formula of formulas) pictures.set(formula, await loadImage(pictureOf(formula, layout.fontSize)));
  return { layout, pictures };
}

/** In whole pixels, with room around for what stands out, as the ends of slanted letters do. */
function pictureSize(formula: FormulaPart, fontSize: number) {
  const margin = Math.ceil(fontSize / 8);
  return {
    margin,
    width: Math.ceil(formula.width * fontSize) + 2 * margin,
    above: Math.ceil(formula.height * fontSize) + margin,
    below: Math.ceil(formula.depth * fontSize) + margin,
  };
}

function pictureOf(formula: FormulaPart, fontSize: number): Buffer {
  const { margin, width, above, below } = pictureSize(formula, fontSize);
  const height = above + below;
  const unit = 1000 / (formula.scale * fontSize);
  const box = [-margin * unit, -above * unit, width * unit, height * unit].join(' ');
  const start = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="${box}">`;
  const elements = formula.elements
    .replaceAll('currentColor', colours.text)
    .replaceAll(/font-family="[^"]*"/g, `font-family="${formulaFamily()}"`);
  return Buffer.from(`${start}${elements}</svg>`);
}

/** The font for what formulas have no signs for, which is Chinese for the most part. An SVG takes one, not a list. */
function formulaFamily(): string {
  const isInstalled = (name: string): boolean => GlobalFonts.has(name);
  return [...chineseFamilies, ...latinFamilies].find(isInstalled) ?? 'sans-serif';
}

/** Texts are measured once, at this size; widths grow with the size. */
const measuredSize = 100;
const measuring = createCanvas(1, 1).getContext('2d');
/** The widths of words, by script and word. */
const widths = new Map<string, number>();
const keptWidths = 5_000;

const means: Means = {
  measure(text, script) {
    const name = `${script} ${text}`;
    let width = widths.get(name);
    if (width === undefined) {
      measuring.font = `${measuredSize}px ${families[script]}`;
      width = measuring.measureText(text).width / measuredSize;
      if (widths.size >= keptWidths) widths.clear();
      widths.set(name, width);
    }
    return width;
  },
  async formulaOf(source, isDisplay) {
    try {
      const { drawFormula } = await import('./clip-formulas.ts');
      return drawFormula(source, isDisplay);
    } catch {
      return null;
    }
  },
};
