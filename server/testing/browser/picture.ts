import { deflateSync } from 'node:zlib';
import pixelmatch from 'pixelmatch';
import { PNG } from 'pngjs';

/** Number of colours of a stored picture: with four bits per pixel, a page takes a few kilobytes. */
const COLOURS = 16;
/** Squared colour distance that is invisible in small letters. */
const CLOSE = 150;

/** Picture with a palette, one byte per pixel. */
export interface Picture {
  width: number;
  height: number;
  /** Red, green and blue of each colour. */
  palette: number[][];
  pixels: Uint8Array;
}

/** Number of tones with five bits per channel; the lower bits of letters' edges differ between machines. */
const TONES = 1 << 15;

/** Reads a PNG and reduces it to its most frequent colours; others become the nearest of these. */
export function reduceColours(png: Buffer): Picture {
  const { width, height, data } = PNG.sync.read(png);
  const counts = new Uint32Array(TONES);
  const tones = new Uint16Array(width * height);
  for (let index = 0, at = 0; index < tones.length; index += 1, at += 4) {
    const tone =
      (((data[at] ?? 0) >> 3) << 10) | (((data[at + 1] ?? 0) >> 3) << 5) | ((data[at + 2] ?? 0) >> 3);
    tones[index] = tone;
    counts[tone] = (counts[tone] ?? 0) + 1;
  }
  const seen = [...counts.keys()].filter((tone) => counts[tone]);
  const palette = pickPalette(seen.sort((a, b) => (counts[b] ?? 0) - (counts[a] ?? 0) || a - b));
  const nearest = new Uint8Array(TONES);
  for (const tone of seen) nearest[tone] = nearestOf(palette, split(tone));
  const pixels = new Uint8Array(tones.length);
  for (let index = 0; index < pixels.length; index += 1) pixels[index] = nearest[tones[index] ?? 0] ?? 0;
  return { width, height, palette, pixels };
}

/** Picks the most frequent tones, without those close to one already picked. */
function pickPalette(frequentFirst: readonly number[]): number[][] {
  const palette: number[][] = [];
  for (const colour of frequentFirst.map(split)) {
    if (palette.length === COLOURS) break;
    if (palette.every((taken) => distance(taken, colour) > CLOSE)) palette.push(colour);
  }
  return palette;
}

function split(tone: number): number[] {
  return [(tone >> 10) << 3, ((tone >> 5) & 31) << 3, (tone & 31) << 3];
}

function distance(a: readonly number[], b: readonly number[]): number {
  return a.reduce((sum, value, index) => sum + (value - (b[index] ?? 0)) ** 2, 0);
}

function nearestOf(palette: readonly number[][], colour: number[]): number {
  let best = 0;
  for (const [index, each] of palette.entries()) {
    if (distance(each, colour) < distance(palette[best] ?? [], colour)) best = index;
  }
  return best;
}

/** Encodes a picture as an indexed PNG with four bits per pixel. */
export function encodePicture({ width, height, palette, pixels }: Picture): Buffer {
  const stride = Math.ceil(width / 2) + 1;
  const rows = Buffer.alloc(stride * height);
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      const at = y * stride + 1 + (x >> 1);
      rows[at] = (rows[at] ?? 0) | ((pixels[y * width + x] ?? 0) << (x % 2 === 0 ? 4 : 0));
    }
  }
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([4, 3, 0, 0, 0], 8);
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    chunk('IHDR', header),
    chunk('PLTE', Buffer.from(palette.flat())),
    chunk('IDAT', deflateSync(rows, { level: 9 })),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

function chunk(name: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(name, 'latin1'), data]);
  const framed = Buffer.alloc(body.length + 8);
  framed.writeUInt32BE(data.length, 0);
  body.copy(framed, 4);
  framed.writeUInt32BE(crc32(body), body.length + 4);
  return framed;
}

/** Computes the checksum of PNG (ISO 3309); node:zlib has one only since Node 22. */
function crc32(bytes: Buffer): number {
  let crc = 0xffffffff;
  for (const byte of bytes) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit += 1) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0);
  }
  return (crc ^ 0xffffffff) >>> 0;
}

/** Result of a comparison; `difference` is a PNG that marks the differing pixels. */
export interface Comparison {
  pixels: number;
  difference: Buffer;
}

/** Counts visibly differing pixels; smoothed edges may shift by one pixel. Returns null if the sizes differ. */
export function comparePictures(expected: Buffer, actual: Buffer): Comparison | null {
  const [before, after] = [PNG.sync.read(expected), PNG.sync.read(actual)];
  if (before.width !== after.width || before.height !== after.height) return null;
  const { width, height } = before;
  const marked = new PNG({ width, height });
  const pixels = pixelmatch(before.data, after.data, marked.data, width, height, { threshold: 0.25 });
  return { pixels, difference: PNG.sync.write(marked) };
}
