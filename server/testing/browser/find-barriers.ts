import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { AxeResults, RunOptions } from 'axe-core';
import type { Page } from 'playwright-core';
import { markOneOfEachLook } from './one-of-each-look.ts';

const SOURCE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** Beyond what WCAG asks there are good habits: they count too. */
const ALL: RunOptions = {
  runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'],
};
const CONTRAST: RunOptions = { runOnly: ['color-contrast'] };

/**
 * What axe finds on a page, one line for each place: everything, or the contrast of one text of each look, which is enough
 * where another scheme of colours has been judged whole: nothing stands anywhere else in this one.
 */
export async function findBarriers(page: Page, what: 'all' | 'contrast'): Promise<string[]> {
  // Told by the debugger, so that the page's policy has no say in it.
  const isThere = await page.evaluate('typeof axe === "object"');
  if (!isThere) await page.evaluate(SOURCE);
  if (what === 'contrast') await page.evaluate(markOneOfEachLook);
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
