import { PNG } from 'pngjs';
import { expect, it } from 'vitest';
import { comparePictures, encodePicture, reduceColours } from './picture.ts';

/** Creates a white PNG of 40 by 30 pixels with a black box at `x`. */
function boxAt(x: number, size = 10): Buffer {
  const png = new PNG({ width: 40, height: 30 });
  png.data.fill(0xff);
  for (let row = 5; row < 5 + size; row += 1) {
    for (let column = x; column < x + size; column += 1) png.data.set([0, 0, 0], (row * 40 + column) * 4);
  }
  return PNG.sync.write(png);
}
const kept = (png: Buffer) => encodePicture(reduceColours(png));

it('does not change a picture of few colours', () => {
  const read = PNG.sync.read(kept(boxAt(10)));

  expect([read.width, read.height]).toEqual([40, 30]);
  expect([...read.data.subarray((7 * 40 + 12) * 4, (7 * 40 + 12) * 4 + 3)]).toEqual([0, 0, 0]);
  expect(Math.min(...read.data.subarray(0, 3))).toBeGreaterThan(0xf0);
});

it('detects a moved box, and marks it', () => {
  expect(comparePictures(kept(boxAt(10)), kept(boxAt(10)))?.pixels).toBe(0);
  expect(comparePictures(kept(boxAt(10)), kept(boxAt(14)))?.pixels).toBe(80);
});

it('returns null for pictures of different sizes', () => {
  const small = PNG.sync.write(new PNG({ width: 10, height: 10 }));

  expect(comparePictures(kept(boxAt(10)), kept(small))).toBeNull();
});
