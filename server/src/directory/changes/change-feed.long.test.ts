import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { osvRecord, storeOsv } from '../../../testing/advisories/sample-advisories.ts';
import { describeAtNight, itAtNight } from '../../../testing/at-night.ts';
import { Mirror, publishAll, readList, sortById } from '../../../testing/changes/follow-changes.ts';
import { replaceClock, shiftClock } from '../../../testing/clock.ts';
import { createTestDatabase, type TestDatabase } from '../../../testing/database.ts';
import { openReadingProcess, type ReadingProcess } from '../../../testing/http/reading-process.ts';
import { createImportWorkspace, type ImportWorkspace } from '../../../testing/import/import-workspace.ts';
import { account, artifact, creator, listing } from '../../../testing/import/rows.ts';
import { sampleUnlessNightly } from '../../../testing/nightly.ts';
import { computeScoreDistributions } from '../../catalog/listings/refresh-score-distributions.ts';
import { createPublicUrls } from '../../catalog/subjects/public-path.ts';
import type { Change, ChangePage, CursorExpired } from '../../generated/types.gen.ts';
import { inTransaction } from '../../platform/database/transaction.ts';
import { delistListing } from '../delisting/delist-listing.ts';
import { deleteOldChanges, publishChanges, SNAPSHOT_PATH } from './change-feed.ts';

const publicUrls = createPublicUrls('https://trust.example');
let work: ImportWorkspace;
let reading: ReadingProcess;
/** Cursor at the beginning of each test. */
let start: string;

beforeEach(async () => {
  work = await createImportWorkspace({
    imported: [listing('acme/robot')],
    before: replaceClock,
    after: publishAll,
  });
  reading = await openReadingProcess(work.url);
  start = (await changes('since=2999-01-01T00:00:00Z')).cursor;
});
afterEach(async () => {
  await reading.close();
  await work.close();
});

async function read(path: string) {
  const answer = await reading.app.inject(path);
  return { status: answer.statusCode, body: answer.json() };
}

async function changes(query: string): Promise<ChangePage> {
  const { status, body } = await read(`/api/changes?${query}`);
  expect([status, body]).toEqual([200, body]);
  return body;
}

async function expired(query: string): Promise<CursorExpired> {
  const { status, body } = await read(`/api/changes?${query}`);
  expect(status).toBe(410);
  expect(body).toMatchObject({ error: 'cursor_expired', status: 410, snapshot: SNAPSHOT_PATH });
  return body;
}

const after = (cursor: string, more = '') => changes(`cursor=${cursor}${more}`);
const names = ({ data }: ChangePage) => data.map(({ agent, subject }) => agent?.name ?? subject?.name);
const delist = () => delistListing(work.database, { text: 'acme/robot', reason: 'It was spam', publicUrls });

describe('an entry', () => {
  it('merges the changes of one subject, in the order of their last ones', async () => {
    await work.store(listing('acme/tool'));
    await work.store(listing('acme/robot', { stars: 3 }));
    await work.store(listing('acme/tool', { stars: 4 }));
    await publishAll(work.database);

    const { data, nextCursor } = await after(start, '&type=skill');

    expect(data.map(({ agent }) => [agent?.name, agent?.repoHost?.stars])).toEqual([
      ['robot', 3],
      ['tool', 4],
    ]);
    expect(data[1]?.kinds).toEqual(['listing', 'score', 'verdict']);
    expect(nextCursor).toBeNull();
  });

  itAtNight('of a removal has the ids and the date, and no text', async () => {
    const [agent] = await readList(read);
    await delist();
    await publishAll(work.database);

    const { data } = await after(start, '&kinds=removal');

    const { at, canonical_id, ...rest } = data[0] as Change;
    expect(data).toHaveLength(1);
    expect(at).toMatch(/^20.*Z$/);
    expect(canonical_id).toMatch(/^[0-9a-f-]{36}$/);
    expect(rest).toEqual({
      ...{ kinds: ['removal'], type: 'skill', agent_id: agent?.id, removed: true },
      ...{ agent: null, subject: null, advisory: null, standing: null },
    });
  });

  itAtNight('of a creator, an account or a file inside a repository has its record', async () => {
    await work.store(
      creator('acme', { displayName: 'Acme Labs' }),
      account('x', 'acme'),
      artifact('acme/robot', 'part'),
    );
    await publishAll(work.database);

    const { data } = await after(start);

    for (const { subject } of data.filter((each) => each.subject))
      expect((await read(`/api/subjects/${subject?.canonical_id}`)).body).toMatchObject(subject as object);
    expect(data.map(({ type, subject }) => [type, subject?.name ?? null])).toEqual(
      expect.arrayContaining([
        ['creator', 'Acme Labs'],
        ['social_account', 'acme'],
        ['skill', 'part'],
      ]),
    );
  });

  itAtNight('says that a listing changed if what its answer shows of others did', async () => {
    const listed = async () => {
      await publishAll(work.database);
      const page = await after(start, '&kinds=listing&type=skill');
      start = page.cursor;
      return names(page);
    };
    await work.store(artifact('acme/robot', 'part'));
    const withPart = await listed();
    await work.store(listing('same/first', { host: 'gitlab.com' }));
    await listed();
    await work.store(listing('same/second'));
    const withNamesake = await listed();
    await work.database.query("UPDATE artifact SET description = 'About it.'");
    await work.database.query(
      'DELETE FROM subject_alias WHERE subject_id IN (SELECT subject_id FROM artifact)',
    );
    await work.database.query('DELETE FROM score_due; DELETE FROM artifact');

    expect(withPart).toContain('robot');
    expect(withNamesake).toEqual(expect.arrayContaining(['first', 'second']));
    expect(await listed()).toContain('robot');
  });

  itAtNight('of an advisory names its packages; of a standing, the bounds of its category', async () => {
    await storeOsv(work.database, osvRecord('MAL-2026-1', 'bad'));
    await work.store(...Array.from({ length: 20 }, (_, n) => listing(`base/tool-${n}`, { stars: n })));
    await computeScoreDistributions(work.database);
    await publishAll(work.database);

    const { data } = await after(start, '&kinds=advisory,standing');
    await work.database.query("DELETE FROM advisory WHERE id = 'MAL-2026-1'");
    await work.database.query('DELETE FROM category_standing');
    await publishAll(work.database);
    const later = await after(start, '&kinds=advisory,standing');

    expect(data).toMatchObject([
      { advisory: { id: 'MAL-2026-1', withdrawn: false, packages: ['npm:bad'] }, removed: false },
      { standing: { type: 'skill', category: 'coding', among: 21 }, removed: false },
    ]);
    expect(data[1]?.standing?.bounds).toHaveLength(99);
    expect(later.data).toMatchObject([
      { advisory: { id: 'MAL-2026-1', modified: null }, removed: true },
      { standing: { category: 'coding', bounds: [], asOf: null }, removed: true },
    ]);
  });
});

describe('reading', () => {
  it('stays before an open transaction, and never skips what it commits', async () => {
    await inTransaction(work.database, async (open) => {
      await open.query("UPDATE creator SET display_name = 'Acme Labs' WHERE handle = 'acme'");
      await work.store(listing('late/tool'));
      await publishChanges(work.database);

      expect((await after(start)).data).toEqual([]);
    });
    await publishAll(work.database);

    expect(names(await after(start, '&type=skill&kinds=listing'))).toEqual(['robot', 'tool']);
  });

  it('in pages of any size, and with any filters, gives the same entries', async () => {
    await work.store(...Array.from({ length: 9 }, (_, n) => listing(`many/tool-${n}`)));
    await publishAll(work.database);
    const whole = names(await after(start, '&type=skill&kinds=verdict'));

    const paged: unknown[] = [];
    for (let cursor: string | null = start; cursor !== null; ) {
      const page: ChangePage = await after(cursor, '&type=skill&kinds=verdict&limit=2');
      expect(page.data.length).toBeLessThanOrEqual(2);
      paged.push(...names(page));
      cursor = page.nextCursor;
    }

    expect(paged).toEqual(whole);
    expect(whole).toHaveLength(9);
  });

  itAtNight('since a time begins with what was published then', async () => {
    await shiftClock(work.database, '1 hour');
    await work.store(listing('acme/tool'));
    await publishAll(work.database);
    const moment = new Date(Date.now() + 30 * 60_000).toISOString();

    expect(names(await changes(`since=${moment}&kinds=verdict`))).toEqual(['tool']);
  });

  itAtNight('is never answered from a cache', async () => {
    expect((await after(start)).data).toEqual([]);
    await work.store(listing('acme/tool'));
    await publishAll(work.database);

    expect((await after(start)).data).not.toEqual([]);
  });

  it.each(
    sampleUnlessNightly(
      ['W10', Buffer.from('["x","1","0"]').toString('base64url'), 'AA'],
      (cursor) => cursor === 'W10',
    ),
  )('refuses the cursor %s', async (cursor) => {
    const { status, body } = await read(`/api/changes?cursor=${cursor}`);

    expect([status, body.error]).toEqual([400, 'invalid_request']);
  });
});

describe('a cursor', () => {
  it('that is older than the kept changes is refused, with all that a mirror needs to start again', async () => {
    await work.store(listing('acme/tool'));
    await publishAll(work.database);
    await shiftClock(work.database, '91 days');
    await work.store(listing('acme/third'));
    await publishAll(work.database);
    const deleted = await deleteOldChanges(work.database, 90);

    const { snapshot } = await expired(`cursor=${start}`);
    await expired('since=2020-01-01T00:00:00Z');
    const mirror = new Mirror(read);
    await mirror.start(async () => work.store(listing('acme/fourth')), snapshot);
    await publishAll(work.database);
    await mirror.follow();

    expect(deleted).toBeGreaterThan(0);
    expect(sortById(mirror.agents.values())).toEqual(await readList(read));
    expect(names(await changes('kinds=verdict'))).toEqual(['third', 'fourth']);
  });

  itAtNight('of a reader who has everything stays valid, however long nothing changes', async () => {
    await shiftClock(work.database, '400 days');
    await deleteOldChanges(work.database, 90);

    expect((await after(start)).data).toEqual([]);
    await work.store(listing('acme/tool'));
    await publishAll(work.database);
    expect(names(await after(start, '&kinds=verdict'))).toEqual(['tool']);
  });

  it('in the middle of changes that are deleted meanwhile is refused', async () => {
    await work.store(listing('acme/tool'), listing('acme/third'));
    await publishAll(work.database);
    const { nextCursor } = await after(start, '&limit=1');
    await shiftClock(work.database, '91 days');
    await work.store(listing('acme/fourth'));
    await publishAll(work.database);
    const current = (await after(nextCursor ?? '', '&limit=1')).nextCursor;
    await deleteOldChanges(work.database, 90);

    await expired(`cursor=${current}`);
  });

  it('is refused where its history was lost, as by a failover or the restore of an older backup', async () => {
    await work.store(listing('acme/tool'));
    await publishAll(work.database);
    const { cursor } = await after(start);
    await work.database.query(
      'DELETE FROM change_watermark WHERE horizon = (SELECT horizon FROM change_watermark ORDER BY horizon DESC LIMIT 1)',
    );
    await work.store(listing('acme/third'));
    await publishAll(work.database);

    await expired(`cursor=${cursor}`);
    expect(names(await after(start, '&kinds=verdict'))).toEqual(['tool', 'third']);
  });

  itAtNight(
    'of another database is refused, also where its rows were restored into a cluster with other transaction ids',
    async () => {
      await work.database.query("UPDATE change_watermark SET cluster = 1, horizon = '9000000000'");
      await work.database.query("UPDATE change SET xid = '8000000000'");
      expect((await read(`/api/changes?cursor=${start}`)).status).toBe(503);
      await publishChanges(work.database);

      const { cursor } = await expired(`cursor=${start}`);
      await work.store(listing('acme/tool'));
      await publishAll(work.database);

      expect(names(await after(cursor, '&kinds=verdict'))).toEqual(['tool']);
    },
  );

  itAtNight('is refused after TRUNCATE, which does not say what it removes', async () => {
    await work.database.query('TRUNCATE category_standing');
    await publishChanges(work.database);

    await expired(`cursor=${start}`);
  });
});

describeAtNight('an empty database', () => {
  let empty: TestDatabase;
  beforeEach(async () => {
    empty = await createTestDatabase();
  });
  afterEach(() => empty.close());

  it('has a feed as soon as a job has run', async () => {
    const process = await openReadingProcess(empty.url, { isCaching: false });
    const before = await process.app.inject('/api/changes');
    const first = await publishChanges(empty.database);
    const second = await publishChanges(empty.database);
    const later = await process.app.inject('/api/changes');
    await process.close();

    expect([before.statusCode, before.headers['retry-after']]).toEqual([503, '2']);
    expect([first, second]).toEqual([1, 0]);
    expect(later.json()).toMatchObject({ data: [], nextCursor: null });
  });
});
