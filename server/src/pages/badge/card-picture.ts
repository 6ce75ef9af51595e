import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { DomainError } from '../../domain-error.ts';

const FONTS = join(dirname(createRequire(import.meta.url).resolve('dejavu-fonts-ttf/package.json')), 'ttf');
const OPTIONS = {
  font: {
    fontFiles: ['DejaVuSans.ttf', 'DejaVuSans-Bold.ttf'].map((file) => join(FONTS, file)),
    loadSystemFonts: false,
    defaultFontFamily: 'DejaVu Sans',
  },
};

/** About 30 kB each; anyone who shares a link makes a handful of sites ask for the same picture within a minute. */
const KEPT = 100;
/** Each takes a thread of the pool, which file reads and password hashing use too, for some tens of milliseconds. */
const AT_ONCE = 2;
const WAITING = 20;

/** Draws cards as PNG, which sites that show links take; they refuse SVG. */
export interface CardPictures {
  /** The picture of this SVG; one that was drawn lately is not drawn again. Throws unavailable where too many wait. */
  draw(svg: string): Promise<Buffer>;
}

/** An empty store of pictures. */
export function createCardPictures(render: (svg: string) => Promise<Buffer> = renderPng): CardPictures {
  const pictures = new Map<string, Promise<Buffer>>();
  const waiting: (() => void)[] = [];
  let running = 0;

  async function inTurn(svg: string): Promise<Buffer> {
    if (running >= AT_ONCE) await new Promise<void>((resolve) => waiting.push(resolve));
    running += 1;
    try {
      return await render(svg);
    } finally {
      running -= 1;
      waiting.shift()?.();
    }
  }

  return {
    async draw(svg) {
      const known = pictures.get(svg);
      if (known) {
        // Asked for last, thrown out last.
        pictures.delete(svg);
        pictures.set(svg, known);
        return known;
      }
      if (waiting.length >= WAITING) {
        throw new DomainError('unavailable', 'Too many pictures are being drawn. Retry in a moment.', {
          retryAfterSeconds: 2,
        });
      }
      const picture = inTurn(svg);
      pictures.set(svg, picture);
      picture.catch(() => pictures.delete(svg));
      for (const oldest of pictures.keys()) if (pictures.size > KEPT) pictures.delete(oldest);
      return picture;
    },
  };
}

async function renderPng(svg: string): Promise<Buffer> {
  // Loaded with the first picture: most processes draw none.
  const { renderAsync } = await import('@resvg/resvg-js');
  return (await renderAsync(svg, OPTIONS)).asPng();
}
