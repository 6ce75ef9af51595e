import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openBrowser, type TestBrowser } from '../../../testing/browser/chromium.ts';
import { findInjected, HOSTILE_TEXTS, joinIntoPieces } from '../../../testing/browser/hostile-texts.ts';
import { openTestSite, type TestSite } from '../../../testing/browser/test-site.ts';
import { type PageTroubles, watchPage } from '../../../testing/browser/watch-page.ts';
import { CONSOLE_PAGES } from '../../../testing/console/console-paths.ts';
import { type FurnishedConsole, furnishConsole } from '../../../testing/console/furnish-console.ts';
import { writeListings } from '../../../testing/outdated-copies.ts';

const EVERYTHING = HOSTILE_TEXTS.join(' ');
/** Length of the text in each field of a form. The form stays below 16 KiB, although all characters are encoded. */
const FORM_PIECE = 900;

let site: TestSite;
let chromium: TestBrowser;
let world: FurnishedConsole;
let page: Page;
let troubles: PageTroubles;

beforeAll(async () => {
  [site, chromium] = await Promise.all([openTestSite(), openBrowser()]);
  world = await furnishConsole(site.database);
  page = await chromium.browser.newPage();
  troubles = await watchPage(page, site.url);
  const [name = '', value = ''] = world.owner.split('=');
  await page.context().addCookies([{ name, value, url: site.url }]);
});
afterAll(async () => {
  await chromium.close();
  await site.close();
});

async function visit(path: string): Promise<string[]> {
  await page.goto(`${site.url}${path}`, { waitUntil: 'domcontentloaded' });
  return [...(await page.evaluate(findInjected, undefined)), ...troubles.take()];
}

/** Sends the page's form with a text in every field, bypassing the browser's validation. */
async function send(path: string, text: string): Promise<string[]> {
  await visit(path);
  const answered = page.waitForEvent('domcontentloaded');
  await page.evaluate((value) => {
    const forms = Array.from(document.querySelectorAll<HTMLFormElement>('main form[method=post]'));
    const form = forms.find((each) => each.querySelector('input:not([type=hidden]), textarea'));
    for (const field of Array.from(
      form?.querySelectorAll<HTMLInputElement>('input, textarea, option') ?? [],
    )) {
      if (field.type === 'hidden' || field.type === 'checkbox') continue;
      if (field.type === 'date' || field.type === 'number') field.type = 'text';
      field.removeAttribute('maxlength');
      field.value = value;
    }
    if (form) HTMLFormElement.prototype.submit.call(form);
  }, text);
  await answered;
  return [...(await page.evaluate(findInjected, undefined)), ...troubles.take()];
}

describe('hostile texts in the console', () => {
  it.each(['/console/register', '/console/keys/new', '/console/accounts', '/console/handle'])(
    'are escaped by the form at %s',
    async (path) => {
      for (const text of joinIntoPieces(HOSTILE_TEXTS, FORM_PIECE))
        expect(await send(path, text)).toEqual([]);
    },
  );

  it.each([
    ['/console/usage', ['from', 'to', 'operation', 'key', 'source', 'cursor']],
    ['/console/receipts', ['operation', 'state', 'cursor']],
    ['/console/agents', ['cursor', 'done', 'id']],
    ['/console/keys', ['state', 'done']],
    ['/console/plan/overage', ['cap', 'enabled']],
    ['/sign-in', ['next', 'token', 'error']],
  ])('are escaped in the parameters of %s', async (path, names) => {
    for (const text of joinIntoPieces(HOSTILE_TEXTS, FORM_PIECE)) {
      const query = new URLSearchParams(names.map((name) => [name, text]));
      expect(await visit(`${path}?${query}`)).toEqual([]);
    }
  });

  it('are escaped in every field of every page', async () => {
    const { database } = site;
    await database.query('UPDATE subject SET name = $1', [EVERYTHING]);
    await database.query('UPDATE creator SET display_name = $1', [EVERYTHING]);
    await writeListings(database, 'UPDATE listing SET description = $1, kind = $1, source = $1', [
      EVERYTHING,
    ]);
    // Indexed names of listings and names of keys and accounts are short, so each contains a part of the texts.
    for (const [table, column, most] of [
      ['listing', 'name', 2_000],
      ['access_key', 'name', 100],
    ] as const) {
      await writeListings(
        database,
        `WITH numbered AS (SELECT ctid AS place, row_number() OVER () AS number FROM ${table})
         UPDATE ${table} SET ${column} = ($1::text[])[1 + number % cardinality($1::text[])]
         FROM numbered WHERE ${table}.ctid = place`,
        [joinIntoPieces(HOSTILE_TEXTS, most)],
      );
    }
    await database.query(
      'UPDATE linked_account SET handle = left(handle || $1, 200), host = left(host || lower($1), 200) WHERE proved_at IS NULL',
      [EVERYTHING],
    );

    for (const { who, name, path } of CONSOLE_PAGES) {
      if (who === 'owner') expect([name, await visit(path(world))]).toEqual([name, []]);
    }
    await visit('/console/keys');
    expect(await page.locator('main').textContent()).toContain('attacker.example');
  });
});
