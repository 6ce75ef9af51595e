import { describe, expect, it } from 'vitest';
import { createCardRenderer } from './badge.route.ts';

/** Creates a render function that counts its calls. Each call of `goOn` finishes the oldest waiting rendering. */
function slowRenderer() {
  const waiting: (() => void)[] = [];
  const seen = { drawn: [] as string[], mostRunning: 0, running: 0 };
  const render = async (svg: string) => {
    seen.drawn.push(svg);
    seen.running += 1;
    seen.mostRunning = Math.max(seen.mostRunning, seen.running);
    await new Promise<void>((resolve) => waiting.push(resolve));
    seen.running -= 1;
    return Buffer.from(svg);
  };
  return { seen, render, goOn: () => waiting.shift()?.() };
}

const settled = () => new Promise((resolve) => setImmediate(resolve));

describe('pictures of cards', () => {
  it('are PNG', async () => {
    const picture = await createCardRenderer().render(
      '<svg xmlns="http://www.w3.org/2000/svg" width="1200" height="630"><text y="50">Robot</text></svg>',
    );

    expect(picture.subarray(0, 8)).toEqual(Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]));
    expect([picture.readUInt32BE(16), picture.readUInt32BE(20)]).toEqual([1200, 630]);
  });

  it('are rendered once for concurrent and later requests', async () => {
    const { seen, render, goOn } = slowRenderer();
    const pictures = createCardRenderer(render);

    const both = [pictures.render('a'), pictures.render('a')];
    goOn();
    await Promise.all(both);
    await pictures.render('a');

    expect(seen.drawn).toEqual(['a']);
  });

  it('are rendered two at a time in order of request, and rejected if the queue is full', async () => {
    const { seen, render, goOn } = slowRenderer();
    const pictures = createCardRenderer(render);

    const asked = Array.from({ length: 22 }, (_, index) => pictures.render(`${index}`));
    await expect(pictures.render('one more')).rejects.toMatchObject({ code: 'unavailable' });
    while (seen.drawn.length < 22 || seen.running > 0) {
      goOn();
      await settled();
    }

    await Promise.all(asked);
    expect(seen.mostRunning).toBe(2);
    expect(seen.drawn).toEqual(asked.map((_, index) => `${index}`));
  });

  it('are rendered again after a failure or an eviction', async () => {
    const drawn: string[] = [];
    const pictures = createCardRenderer(async (svg) => {
      drawn.push(svg);
      if (drawn.length === 1) throw new Error('no memory');
      return Buffer.from(svg);
    });

    await expect(pictures.render('first')).rejects.toThrow('no memory');
    await pictures.render('first');
    for (let index = 0; index < 100; index += 1) await pictures.render(`${index}`);
    await pictures.render('first');

    expect(drawn.filter((svg) => svg === 'first')).toHaveLength(3);
  });
});
