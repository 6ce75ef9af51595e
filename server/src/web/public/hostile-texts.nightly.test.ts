import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openBrowser, type TestBrowser } from '../../../testing/browser/chromium.ts';
import {
  findInjected,
  HOSTILE_ADDRESSES,
  HOSTILE_TEXTS,
  joinIntoPieces,
} from '../../../testing/browser/hostile-texts.ts';
import { openTestSite, type TestSite } from '../../../testing/browser/test-site.ts';
import { type PageTroubles, watchPage } from '../../../testing/browser/watch-page.ts';
import { sampleUnlessNightly } from '../../../testing/nightly.ts';
import { writeListings } from '../../../testing/outdated-copies.ts';
import { makeDirectoryWorld } from '../../../testing/pages/directory-world.ts';
import { PUBLIC_PAGES } from '../../../testing/pages/page-paths.ts';

/** Texts that are harmless unless a site decodes them twice or evaluates templates. */
const NO_MARKUP = new Set(
  HOSTILE_TEXTS.filter((text) => /^(&|%3C|\\u003c|\uFF1C|\+ADw|\{\{|\$\{|<%|jaVas|'';)/.test(text)),
);
/** Selects every sixth case for a run that is not nightly. `pages-escape-texts.test.ts` tests escaping without a browser. */
const isEverySixth = (_: unknown, index: number) => index % 6 === 0;
const EVERYTHING = HOSTILE_TEXTS.join(' ');
/** Columns that public pages show as text. Each value is the SQL expression that stores the text `$1` in the column. */
const COLUMNS = {
  'listing.description': '$1',
  'listing.tags': 'ARRAY[$1]',
  'listing.kind': '$1',
  'listing.license': '$1',
  'listing.homepage': "'https://example.com/' || $1",
  'listing.source': '$1',
  'artifact.name': 'name || $1',
  'artifact.description': '$1',
  'artifact.path': '$1',
  'artifact.source': '$1',
  'creator.display_name': '$1',
  'platform_account.name': '$1',
  'platform_account.former_handles': 'ARRAY[$1]',
  'platform_account.owner_handle': '$1',
  'platform_account.source': '$1',
  'subject.name': '$1',
} as const;

let site: TestSite;
let chromium: TestBrowser;
let page: Page;
let troubles: PageTroubles;

beforeAll(async () => {
  [site, chromium] = await Promise.all([openTestSite(), openBrowser()]);
  await makeDirectoryWorld(site.database);
  page = await chromium.browser.newPage();
  troubles = await watchPage(page, site.url);
});
afterAll(async () => {
  await chromium.close();
  await site.close();
});

async function visit(path: string): Promise<string[]> {
  await page.goto(`${site.url}${path}`, { waitUntil: 'domcontentloaded' });
  return [...(await page.evaluate(findInjected, undefined)), ...troubles.take()];
}

/** Stores scores with hostile texts, as a foreign scoring backend could send them. */
async function scoreWithHostileTexts(): Promise<void> {
  await site.database.query(
    `WITH e AS (INSERT INTO score_evidence (subject_id, content, subject_type, trust, confidence, lower_bound, tier, status,
       own_trust, own_confidence, coverage, source, method_version, freshness, inputs, contributions, caps)
     SELECT subject_id, gen_random_uuid(), subject_type, trust, confidence, lower_bound, tier, status, own_trust,
       own_confidence, coverage, $1, $1, freshness, inputs,
       (SELECT jsonb_agg(each || jsonb_build_object('signal', $1::text, 'source', $1::text, 'reason', $1::text))
        FROM jsonb_array_elements(contributions) AS each),
       jsonb_build_array(jsonb_build_object('cap', $1::text, 'limit', 40, 'raw', 50, 'final', 40))
     FROM score JOIN subject s ON s.id = subject_id AND s.current_version = version RETURNING subject_id, content)
     INSERT INTO score_version (subject_id, version, content)
     SELECT e.subject_id, s.current_version + interval '1 second', e.content FROM e JOIN subject s ON s.id = e.subject_id`,
    [EVERYTHING],
  );
  await site.database.query(
    "UPDATE subject SET current_version = current_version + interval '1 second' WHERE current_version IS NOT NULL",
  );
}

describe('hostile texts', () => {
  it('are at least 150, and each one that becomes markup is detected', async () => {
    expect(new Set(HOSTILE_TEXTS).size).toBeGreaterThanOrEqual(150);
    const plain = await chromium.browser.newPage();

    const markup = HOSTILE_TEXTS.filter((each) => !NO_MARKUP.has(each));
    for (const text of sampleUnlessNightly(markup, isEverySixth)) {
      const places = [
        `<p>${text}</p>`,
        `<p title="${text}"></p>`,
        `<title>${text}</title>`,
        `<p title='${text}'></p>`,
        `<p title=${text}></p>`,
      ];
      const found = await plain.evaluate(findInjected, places.join('\n'));
      expect([text, found]).not.toEqual([text, []]);
    }
    await plain.close();
  });

  it('in query parameters stay text', async () => {
    for (const text of sampleUnlessNightly(joinIntoPieces(HOSTILE_TEXTS, 200), isEverySixth)) {
      const names = ['q', 'type', 'tier', 'category', 'sort', 'page', 'verified'];
      const query = new URLSearchParams(names.map((name) => [name, text]));
      expect(await visit(`/agents?${query}`)).toEqual([]);
    }
  });

  it('in paths stay text', async () => {
    for (const text of sampleUnlessNightly(joinIntoPieces(HOSTILE_TEXTS, 900), isEverySixth)) {
      expect(await visit(`/a/${encodeURIComponent(text)}/x`)).toEqual([]);
    }
  });

  it('never become links', async () => {
    for (const address of sampleUnlessNightly(HOSTILE_ADDRESSES, isEverySixth)) {
      await site.database.query(
        "UPDATE listing SET homepage = $1, repository_url = $1 WHERE name = 'Notes'",
        [address],
      );
      await site.database.query('UPDATE platform_account SET url = $1', [address]);

      expect(await visit(PUBLIC_PAGES.unclaimed ?? '')).toEqual([]);
      expect(await visit(PUBLIC_PAGES.messaging ?? '')).toEqual([]);
    }
  });

  it('stay text on every page, in all fields at once', async () => {
    for (const [column, value] of Object.entries(COLUMNS)) {
      const [table, name] = column.split('.');
      await site.database.query(`UPDATE ${table} SET ${name} = ${value}`, [EVERYTHING]);
    }
    // Indexed names must be short, so each listing's name contains another part of the hostile texts.
    await writeListings(
      site.database,
      'UPDATE listing SET name = ($1::text[])[1 + abs(hashtext(agent_id)) % cardinality($1::text[])]',
      [joinIntoPieces(HOSTILE_TEXTS, 2_000)],
    );
    await scoreWithHostileTexts();

    for (const path of sampleUnlessNightly(Object.values(PUBLIC_PAGES), isEverySixth))
      expect([path, await visit(path)]).toEqual([path, []]);
    await visit(PUBLIC_PAGES.agent ?? '');
    const shown = (await page.locator('main').textContent()) ?? '';
    // The page shows this text in many fields.
    expect(shown.split('</script><script>alert(1)</script>').length).toBeGreaterThan(40);
  });
});
