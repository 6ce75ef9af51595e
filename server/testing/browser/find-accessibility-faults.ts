import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { AxeResults, RunOptions } from 'axe-core';
import type { Page } from 'playwright-core';
import { markDistinctLooks } from './mark-distinct-looks.ts';

const SOURCE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** Rules to check: WCAG and axe's best practices. */
const ALL: RunOptions = {
  runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'],
};
const CONTRAST: RunOptions = { runOnly: ['color-contrast'] };

/**
 * Returns axe's findings on a page, one line each. `contrast` checks only the contrast of one text of each look
 * (`markDistinctLooks`), which suffices if the page was fully checked in another colour scheme: the structure is the
 * same.
 */
export async function findAccessibilityFaults(page: Page, what: 'all' | 'contrast'): Promise<string[]> {
  // Inject by the debugger, which the page's content security policy does not restrict.
  const isThere = await page.evaluate('typeof axe === "object"');
  if (!isThere) await page.evaluate(SOURCE);
  if (what === 'contrast') await page.evaluate(markDistinctLooks);
  const include = [what === 'all' ? 'html' : '[data-look]'];
  const options = { ...(what === 'all' ? ALL : CONTRAST), resultTypes: ['violations'] };
  const results = (await page.evaluate(
    `axe.run(${JSON.stringify({ include })}, ${JSON.stringify(options)})`,
  )) as AxeResults;
  return results.violations.flatMap(({ id, nodes }) =>
    nodes.map(
      ({ html, failureSummary = '' }) =>
        `${id}: ${html.slice(0, 200)} ${failureSummary.split('\n')[1] ?? ''}`,
    ),
  );
}
