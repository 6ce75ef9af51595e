import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { CDPSession, Page } from 'playwright-core';
import { comparePictures, encodePicture, reduceColours } from './picture.ts';

const KEPT = fileURLToPath(new URL('../../screenshots/', import.meta.url));
/** Folder for failed comparisons; not in the repository. */
const FOUND = fileURLToPath(new URL('../../../coverage/screenshots/', import.meta.url));
/** Scale of stored pictures: changes stay visible in a sixth of the bytes. */
const SCALE = 0.4;
/** Tolerated share of differing pixels, for edges of letters that browser versions smooth differently. */
const TOLERANCE = 0.002;

/** Takes a screenshot of the whole page. */
export async function takePicture(session: CDPSession): Promise<Buffer> {
  const { cssContentSize } = await session.send('Page.getLayoutMetrics');
  const { data } = await session.send('Page.captureScreenshot', {
    format: 'png',
    optimizeForSpeed: true,
    captureBeyondViewport: true,
    clip: { ...cssContentSize, scale: SCALE },
  });
  return encodePicture(reduceColours(Buffer.from(data, 'base64')));
}

/**
 * Compares with the stored picture of that name, or stores it if SCREENSHOTS=renew. Returns a description of the
 * difference, or null.
 */
export function compareWithStored(name: string, picture: Buffer): string | null {
  const file = `${KEPT}${name}.png`;
  if (process.env.SCREENSHOTS === 'renew') {
    mkdirSync(KEPT, { recursive: true });
    writeFileSync(file, picture);
    return null;
  }
  const kept = existsSync(file) ? readFileSync(file) : null;
  if (kept?.equals(picture)) return null;
  const compared = kept && comparePictures(kept, picture);
  if (kept && compared) {
    const pixels = kept.readUInt32BE(16) * kept.readUInt32BE(20);
    if (compared.pixels <= pixels * TOLERANCE) return null;
  }
  mkdirSync(FOUND, { recursive: true });
  writeFileSync(`${FOUND}${name}.png`, picture);
  if (compared) writeFileSync(`${FOUND}${name}.difference.png`, compared.difference);
  const what = !kept
    ? 'has no kept picture'
    : compared
      ? `differs in ${compared.pixels} pixels`
      : 'has another size';
  return `${name} ${what}: see ${FOUND}; \`npm run screenshots\` keeps what is seen now`;
}

/** Replaces texts that differ between runs (ports, secrets, random ids) by fixed ones. */
export async function replaceVaryingTexts(page: Page): Promise<void> {
  await page.evaluate(() => {
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      const text = node.nodeValue ?? '';
      const steady = text
        .replaceAll(
          /[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}/g,
          '01234567-89ab-4cde-8f01-23456789abcd',
        )
        .replaceAll(/svc_live_[0-9A-Za-z]{38}/g, `svc_live_${'Ab3dE6gH9j'.repeat(4).slice(2)}`)
        .replaceAll(/127\.0\.0\.1:\d+/g, '127.0.0.1:4000');
      if (steady !== text) node.nodeValue = steady;
    }
  });
}
