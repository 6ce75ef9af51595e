import { afterAll, beforeAll, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../../../testing/database.ts';
import { makePlatformAccount } from '../../../../testing/subjects/account.factory.ts';
import { makeArtifact, makeCreator, makeListing } from '../../../../testing/subjects/registry.factory.ts';
import { createPublicUrls } from '../../../catalog/subjects/public-path.ts';
import type { Connection } from '../../../platform/database/connect.ts';
import { createSitemap } from './crawler-files.route.ts';

const SITE = 'https://trust.example';
const RANGE_SIZE = 4;
/** Number of pages that are not about a subject. */
const OTHER_PAGES = 5;

let test: TestDatabase;
/** Statements that were sent through `watched`. */
const sent: string[] = [];
let watched: Connection;

beforeAll(async () => {
  test = await createTestDatabase();
  const { database } = test;
  watched = {
    ...database,
    query(sql, bind) {
      sent.push(sql);
      return database.query(sql, bind);
    },
  };
  const creator = await makeCreator(database, { handle: 'acme' });
  const listing = await makeListing(database, { repository: 'acme/robot', type: 'agent', creator });
  for (let index = 0; index < 6; index += 1) await makeArtifact(database, listing, { name: `tool-${index}` });
  await makePlatformAccount(database, { handle: 'AcmeLabs', ownerId: creator.id });
  for (let index = 0; index < 3; index += 1)
    await makeListing(database, { repository: `acme/more-${index}`, creator });
});
afterAll(() => test.close());

const addressesIn = (xml: string) =>
  [...xml.matchAll(/<loc>([^<]*)<\/loc>/g)].map(([, address = '']) => address);

/** Reads the index, and returns the URLs in each of its sitemaps. */
async function readAll(sitemap: ReturnType<typeof createSitemap>): Promise<string[][]> {
  const pages = addressesIn(await sitemap.index());
  return Promise.all(pages.map(async (_page, index) => addressesIn(await sitemap.page(String(index + 1)))));
}

it('lists every subject once, without empty sitemaps', async () => {
  const pages = await readAll(createSitemap(watched, createPublicUrls(SITE), RANGE_SIZE));

  const [row] = await test.database.query<{ count: number }>('SELECT count(*)::int AS count FROM subject');
  const addresses = pages.flat();
  expect(pages.map(({ length }) => length)).toEqual([OTHER_PAGES + RANGE_SIZE, RANGE_SIZE, RANGE_SIZE]);
  expect(row?.count).toBe(3 * RANGE_SIZE);
  expect(new Set(addresses).size).toBe(OTHER_PAGES + 3 * RANGE_SIZE);
  for (const path of ['/', '/agents', '/a/acme/robot', '/a/acme/robot/tool-5', '/c/acme', '/u/x/AcmeLabs'])
    expect(
      addresses.filter(
        (address) => address === SITE + path || address === `${SITE}${path.replace('/a/', '/s/')}`,
      ),
    ).toHaveLength(1);
});

it('reads only the rows of one sitemap once range ends are known, and adds new subjects', async () => {
  const sitemap = createSitemap(watched, createPublicUrls(SITE), RANGE_SIZE);
  const before = await readAll(sitemap);

  sent.length = 0;
  await sitemap.page('2');
  expect(sent.filter((sql) => sql.includes('row_number'))).toEqual([]);
  // A sitemap needs one statement for its rows, and four for the paths of listings, artifacts, creators and accounts.
  expect(sent.length).toBeLessThanOrEqual(1 + 4);
  const late = await makeListing(test.database, { repository: 'late/comer', type: 'agent' });
  const after = await readAll(sitemap);

  const added = [`${SITE}/a/late/comer`, `${SITE}/c/${late.creator.handle}`];
  expect(after.flat().sort()).toEqual([...before.flat(), ...added].sort());
});

it('rejects a number without a sitemap', async () => {
  const sitemap = createSitemap(watched, createPublicUrls(SITE), RANGE_SIZE);

  for (const page of ['0', '-1', '1.5', '9', 'x', ['1', '2']])
    await expect(sitemap.page(page)).rejects.toMatchObject({ code: 'not_found' });
});
