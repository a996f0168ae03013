/** Draws the videos and frames: the question in large type, and the progress. */

import { type Canvas, createCanvas, type SKRSContext2D } from '@napi-rs/canvas';
import { muxWebM } from './webm.ts';

interface Size {
  readonly width: number;
  readonly height: number;
}

const videoSize: Size = { width: 640, height: 360 };
const frameSize: Size = { width: 320, height: 180 };

const pictureCount = 2;
const usualSeconds = 4;
/** 0..100. Every picture is a key frame with all the text: this keeps a clip under 40 KB, and readable. */
const webpQuality = 10;

/** Only the start of a longer question is drawn: what can be read in seconds, and drawn in milliseconds. */
const drawnCharacters = 200;

/** Font sizes to try, the largest first; text too long for the smallest is cut. Relative to the height. */
const fontShares = [0.12, 0.1, 0.085, 0.07, 0.06];

/** The first family installed is used; the later ones include Chinese. */
export const fontFamilies =
  '"Noto Sans CJK SC", "Noto Sans SC", "PingFang SC", "Microsoft YaHei", sans-serif';

const colours = { back: '#14213d', text: '#f5f3ee', muted: '#93a1bd', bar: '#fca311' } as const;

/** A WebM that shows `text` above a progress bar. The same text and length give the same bytes. */
export async function drawVideo(text: string, seconds = usualSeconds): Promise<Uint8Array> {
  const pictures = Array.from({ length: pictureCount }, (_, i) =>
    drawPicture(videoSize, 'batch rehearsal', text, (i + 1) / pictureCount).encodeSync('webp', webpQuality),
  );
  return muxWebM(pictures, videoSize, seconds / pictureCount);
}

/** A small PNG that shows the number of a step and the start of `text`. */
export function drawFrame(text: string, step: number, stepCount: number): Uint8Array {
  return drawPicture(frameSize, `step ${step} of ${stepCount}`, text, step / stepCount).encodeSync('png');
}

/** One reused canvas per size: their pixels are freed only by the garbage collector, which does not see their size. */
const canvases = new Map<Size, Canvas>();

function canvasOf(size: Size): Canvas {
  const canvas = canvases.get(size) ?? createCanvas(size.width, size.height);
  canvases.set(size, canvas);
  return canvas;
}

/** `done` is 0..1: how much of the bar is full. */
function drawPicture(size: Size, heading: string, text: string, done: number): Canvas {
  const { width, height } = size;
  const margin = Math.round(width / 16);
  const canvas = canvasOf(size);
  const pen = canvas.getContext('2d');
  pen.fillStyle = colours.back;
  pen.fillRect(0, 0, width, height);
  pen.textBaseline = 'top';
  pen.fillStyle = colours.muted;
  pen.font = `${Math.round(height * 0.05)}px ${fontFamilies}`;
  pen.fillText(heading, margin, margin * 0.6);
  pen.fillStyle = colours.text;
  drawText(pen, text, {
    left: margin,
    top: margin * 1.4,
    width: width - 2 * margin,
    height: height - 3 * margin,
  });
  pen.fillStyle = colours.bar;
  pen.fillRect(margin, height - margin, Math.round((width - 2 * margin) * done), Math.round(height / 60));
  return canvas;
}

interface Box extends Size {
  readonly left: number;
  readonly top: number;
}

function drawText(pen: SKRSContext2D, text: string, box: Box): void {
  const { font, lines, lineHeight } = layOut(pen, showable(text), box);
  pen.font = font;
  for (const [i, line] of lines.entries()) pen.fillText(line, box.left, box.top + i * lineHeight);
}

interface Layout {
  readonly font: string;
  readonly lines: readonly string[];
  readonly lineHeight: number;
}

/**
 * Recent layouts, by width and text: the pictures of one clip share one, and measuring dominates the cost of drawing.
 */
const layouts = new Map<string, Layout>();
const keptLayouts = 256;

function layOut(pen: SKRSContext2D, text: string, box: Box): Layout {
  const name = `${box.width} ${text}`;
  const layout = layouts.get(name) ?? fitText(pen, text, box);
  if (layouts.size >= keptLayouts) layouts.clear();
  layouts.set(name, layout);
  return layout;
}

/** The lines of `text` at the largest size that fits the box. */
function fitText(pen: SKRSContext2D, text: string, box: Box): Layout {
  let layout: Layout = { font: '', lines: [], lineHeight: 0 };
  for (const share of fontShares) {
    const fontSize = Math.round((box.height / 0.62) * share);
    pen.font = `${fontSize}px ${fontFamilies}`;
    const lines = wrapText(text, (part) => pen.measureText(part).width <= box.width);
    layout = { font: pen.font, lines, lineHeight: fontSize * 1.35 };
    if (lines.length * layout.lineHeight <= box.height) return layout;
  }
  const shown = layout.lines.slice(0, Math.max(1, Math.floor(box.height / layout.lineHeight)));
  shown.push(`${shown.pop() ?? ''}…`);
  return { ...layout, lines: shown };
}

const words = new Intl.Segmenter('en', { granularity: 'word' });
/** Characters that must not start a line; the margin has room for them. */
const closing = /^[\p{Pe}\p{Pf}\p{Po}]$/u;
const letters = new Intl.Segmenter('en', { granularity: 'grapheme' });

/** Breaks between words, and inside a word longer than a line. Chinese also has words, but no spaces. */
function wrapText(text: string, fits: (part: string) => boolean): string[] {
  const lines: string[] = [];
  let line = '';
  for (const { segment: word } of words.segment(text)) {
    if (fits(line + word) || closing.test(word)) {
      line += word;
      continue;
    }
    const parts = fits(word) ? [word] : Array.from(letters.segment(word), ({ segment }) => segment);
    for (const part of parts) {
      if (line !== '' && !(parts.length > 1 && fits(line + part))) {
        lines.push(line.trim());
        line = '';
      }
      line += part;
    }
  }
  if (line.trim() !== '') lines.push(line.trim());
  return lines;
}

/** On one line, without unprintable characters: control, bidirectional and private ones. */
function showable(text: string): string {
  const shown = text
    .slice(0, 4 * drawnCharacters)
    .replace(/\s+/gu, ' ')
    .replace(/[\p{Cc}\p{Cs}\p{Co}\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu, '')
    .trim();
  const characters = Array.from(shown);
  return characters.length <= drawnCharacters ? shown : `${characters.slice(0, drawnCharacters).join('')}…`;
}
