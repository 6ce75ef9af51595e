import { describe, expect, it } from 'vitest';
import { createCardPictures } from './card-picture.ts';

/** A renderer that waits until it is told to go on. */
function slowRenderer() {
  const waiting: (() => void)[] = [];
  const seen = { drawn: [] as string[], most: 0, running: 0 };
  const render = async (svg: string) => {
    seen.drawn.push(svg);
    seen.running += 1;
    seen.most = Math.max(seen.most, seen.running);
    await new Promise<void>((resolve) => waiting.push(resolve));
    seen.running -= 1;
    return Buffer.from(svg);
  };
  return { seen, render, goOn: () => waiting.shift()?.() };
}

const settled = () => new Promise((resolve) => setImmediate(resolve));

describe('pictures of cards', () => {
  it('are PNG', async () => {
    const picture = await createCardPictures().draw(
      '<svg xmlns="http://www.w3.org/2000/svg" width="1200" height="630"><text y="50">Robot</text></svg>',
    );

    expect(picture.subarray(0, 8)).toEqual(Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]));
    expect([picture.readUInt32BE(16), picture.readUInt32BE(20)]).toEqual([1200, 630]);
  });

  it('are drawn once for everybody who asks at the same time or after', async () => {
    const { seen, render, goOn } = slowRenderer();
    const pictures = createCardPictures(render);

    const both = [pictures.draw('a'), pictures.draw('a')];
    goOn();
    await Promise.all(both);
    await pictures.draw('a');

    expect(seen.drawn).toEqual(['a']);
  });

  it('are drawn two at a time, in turn, and refused where too many wait', async () => {
    const { seen, render, goOn } = slowRenderer();
    const pictures = createCardPictures(render);

    const asked = Array.from({ length: 22 }, (_, index) => pictures.draw(`${index}`));
    await expect(pictures.draw('one more')).rejects.toMatchObject({ code: 'unavailable' });
    while (seen.drawn.length < 22 || seen.running > 0) {
      goOn();
      await settled();
    }

    await Promise.all(asked);
    expect(seen.most).toBe(2);
    expect(seen.drawn).toEqual(asked.map((_, index) => `${index}`));
  });

  it('are tried again after a failure, and give way to newer ones', async () => {
    const drawn: string[] = [];
    const pictures = createCardPictures(async (svg) => {
      drawn.push(svg);
      if (drawn.length === 1) throw new Error('no memory');
      return Buffer.from(svg);
    });

    await expect(pictures.draw('first')).rejects.toThrow('no memory');
    await pictures.draw('first');
    for (let index = 0; index < 100; index += 1) await pictures.draw(`${index}`);
    await pictures.draw('first');

    expect(drawn.filter((svg) => svg === 'first')).toHaveLength(3);
  });
});
