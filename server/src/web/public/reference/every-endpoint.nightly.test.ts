import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openBrowser, type TestBrowser } from '../../../../testing/browser/chromium.ts';
import { openTestSite, type TestSite } from '../../../../testing/browser/test-site.ts';
import { openVisitor, type Visitor } from '../../../../testing/browser/visit-page.ts';
import { loadContract } from '../../../platform/http/contract/parse-contract.ts';
import { endpointIds, endpointPath } from './reference.ts';

let site: TestSite;
let chromium: TestBrowser;
let visitor: Visitor;

beforeAll(async () => {
  [site, chromium] = await Promise.all([openTestSite(), openBrowser()]);
  visitor = await openVisitor(chromium.browser, site.url);
});
afterAll(async () => {
  await chromium?.close();
  await site?.close();
});

/** Script that unfolds all folded parts of a page, so that they are checked too. */
const OPEN_ALL = `for (const each of document.querySelectorAll('details')) each.open = true;`;

describe('the page of every endpoint', () => {
  it.each(endpointIds(loadContract()))(
    '%s is small, logs no errors and is accessible, with all examples unfolded',
    async (operationId) => {
      const { troubles, layout, barriers } = await visitor.visit(
        `endpoint-${operationId}`,
        endpointPath(operationId),
        async (page) => void (await page.evaluate(OPEN_ALL)),
      );

      expect({ troubles, layout, barriers }).toEqual({ troubles: [], layout: [], barriers: [] });
    },
  );
});
