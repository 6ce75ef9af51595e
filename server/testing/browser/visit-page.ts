import type { Browser, CDPSession, Page } from 'playwright-core';
import { findBarriers } from './find-barriers.ts';
import { judgePicture, steadyTexts, takePicture } from './kept-pictures.ts';
import { KEPT_VIEWS } from './kept-views.ts';
import { findLayoutFaults } from './layout-faults.ts';
import { type PageTroubles, watchPage } from './watch-page.ts';

/** From a phone to a desk. */
export const WIDTHS = [360, 768, 1440] as const;
/** What a reader may have asked the browser for. */
export const SCHEMES = ['light', 'dark'] as const;
const HEIGHT = 800;
/** On a busy machine Chromium leaves parts of a long page blank that it has not drawn yet: what differs is looked at again. */
const LOOKS = 5;

/** What a visit found wrong, by kind; all empty where all is well. */
interface VisitReport {
  troubles: string[];
  layout: string[];
  barriers: string[];
  pictures: string[];
}

/** A window that goes from page to page and looks at each as a person, a phone, a reader and a policy would. */
export interface Visitor {
  readonly page: Page;
  /** Loads a page once, does there what is to be done, and looks at it at three widths, light and dark. */
  visit(
    name: string,
    path: string,
    act?: (page: Page) => Promise<void>,
  ): Promise<VisitReport & { bytes: number; requests: string[] }>;
}

/** Opens the window on a site. */
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
      await steadyTexts(page);
      const seen = await lookAround(page, session, name);
      return { ...seen, ...told(troubles), bytes };
    },
  };
}

function told(troubles: PageTroubles): { troubles: string[]; requests: string[] } {
  return { troubles: troubles.take(), requests: troubles.takeRequests() };
}

/** Takes a picture of the page as it stands and judges it; what is wrong with it, or null. */
async function lookAtPicture(session: CDPSession, name: string): Promise<string | null> {
  for (let look = 1; ; look++) {
    const wrong = judgePicture(name, await takePicture(session));
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
    // Colours do not move anything: where no picture is kept, one width shows them all.
    const isFirst = scheme === SCHEMES[0];
    for (const width of isFirst || KEPT_VIEWS.has(name) ? WIDTHS : []) {
      await page.setViewportSize({ width, height: HEIGHT });
      if (isFirst) {
        const faults = await page.evaluate(findLayoutFaults);
        report.layout.push(...faults.map((fault) => `at ${width}: ${fault}`));
      }
      if (!KEPT_VIEWS.has(name)) continue;
      const wrong = await lookAtPicture(session, `${name}-${scheme}-${width}`);
      if (wrong) report.pictures.push(wrong);
    }
    const found = await findBarriers(page, isFirst ? 'all' : 'contrast');
    report.barriers.push(...found.map((barrier) => `${scheme}: ${barrier}`));
  }
  return report;
}
