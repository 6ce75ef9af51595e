import type { Browser, CDPSession, Page } from 'playwright-core';
import { findAccessibilityFaults } from './find-accessibility-faults.ts';
import { findLayoutFaults } from './find-layout-faults.ts';
import { PICTURED_VIEWS } from './pictured-views.ts';
import { compareWithStored, replaceVaryingTexts, takePicture } from './stored-pictures.ts';
import { type PageTroubles, watchPage } from './watch-page.ts';

/** Screen widths from phone to desktop. */
export const WIDTHS = [360, 768, 1440] as const;
/** Colour schemes that a browser may prefer. */
export const SCHEMES = ['light', 'dark'] as const;
const HEIGHT = 800;
/**
 * Maximum attempts to compare a picture. On a busy machine, Chromium leaves parts of long pages blank until they are
 * drawn.
 */
const LOOKS = 5;

/** Faults found by a visit, by kind. */
interface VisitReport {
  troubles: string[];
  layout: string[];
  barriers: string[];
  pictures: string[];
}

/** Browser window that checks pages: console messages, layout, accessibility and pictures. */
export interface Visitor {
  readonly page: Page;
  /** Loads a page, runs the given actions, and checks it at three widths in both colour schemes. */
  visit(
    name: string,
    path: string,
    act?: (page: Page) => Promise<void>,
  ): Promise<VisitReport & { bytes: number; requests: string[] }>;
}

/** Opens a visitor's window for a site. */
export async function openVisitor(browser: Browser, site: string): Promise<Visitor> {
  const page = await browser.newPage({
    viewport: { width: WIDTHS[0], height: HEIGHT },
    reducedMotion: 'reduce',
  });
  const troubles = await watchPage(page, site);
  const session = await page.context().newCDPSession(page);
  return {
    page,
    async visit(name, path, act) {
      troubles.take();
      troubles.takeRequests();
      await page.emulateMedia({ colorScheme: 'light' });
      const answer = await page.goto(`${site}${path}`);
      let bytes = (await answer?.body())?.byteLength ?? 0;
      if (act) {
        troubles.takeRequests();
        await act(page);
        bytes = Buffer.byteLength(await page.content());
      }
      await replaceVaryingTexts(page);
      const seen = await lookAround(page, session, name);
      return { ...seen, ...told(troubles), bytes };
    },
  };
}

function told(troubles: PageTroubles): { troubles: string[]; requests: string[] } {
  return { troubles: troubles.take(), requests: troubles.takeRequests() };
}

/** Takes a picture of the page and compares it. Returns the difference, or null. */
async function lookAtPicture(session: CDPSession, name: string): Promise<string | null> {
  for (let look = 1; ; look++) {
    const wrong = compareWithStored(name, await takePicture(session));
    if (wrong === null || look === LOOKS) return wrong;
  }
}

async function lookAround(
  page: Page,
  session: CDPSession,
  name: string,
): Promise<Omit<VisitReport, 'troubles'>> {
  const report = { layout: [] as string[], barriers: [] as string[], pictures: [] as string[] };
  for (const scheme of SCHEMES) {
    await page.emulateMedia({ colorScheme: scheme });
    // Colours do not affect the layout: without a stored picture, one width suffices for the second scheme.
    const isFirst = scheme === SCHEMES[0];
    for (const width of isFirst || PICTURED_VIEWS.has(name) ? WIDTHS : []) {
      await page.setViewportSize({ width, height: HEIGHT });
      if (isFirst) {
        const faults = await page.evaluate(findLayoutFaults);
        report.layout.push(...faults.map((fault) => `at ${width}: ${fault}`));
      }
      if (!PICTURED_VIEWS.has(name)) continue;
      const wrong = await lookAtPicture(session, `${name}-${scheme}-${width}`);
      if (wrong) report.pictures.push(wrong);
    }
    const found = await findAccessibilityFaults(page, isFirst ? 'all' : 'contrast');
    report.barriers.push(...found.map((barrier) => `${scheme}: ${barrier}`));
  }
  return report;
}
