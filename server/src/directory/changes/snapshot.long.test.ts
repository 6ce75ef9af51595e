import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { osvRecord, storeOsv } from '../../../testing/advisories/sample-advisories.ts';
import { describeAtNight, itAtNight } from '../../../testing/at-night.ts';
import { publishAll, readList, readSubjects, sortById } from '../../../testing/changes/follow-changes.ts';
import { replaceClock } from '../../../testing/clock.ts';
import { openReadingProcess, type ReadingProcess } from '../../../testing/http/reading-process.ts';
import { createImportWorkspace, type ImportWorkspace } from '../../../testing/import/import-workspace.ts';
import { account, artifact, creator, listing, type Row } from '../../../testing/import/rows.ts';
import { sampleUnlessNightly } from '../../../testing/nightly.ts';
import { computeScoreDistributions } from '../../catalog/listings/refresh-score-distributions.ts';
import { createPublicUrls } from '../../catalog/subjects/public-path.ts';
import type { Change, ChangePage } from '../../generated/types.gen.ts';
import { scoreQueuedSubjects } from '../../scoring/batches/score-queued-subjects.ts';
import { embeddedBackend } from '../../scoring/embedded/embedded-backend.ts';
import { delistListing } from '../delisting/delist-listing.ts';
import { publishChanges } from './change-feed.ts';

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

const after = (cursor: string) => changes(`cursor=${cursor}`);

describe('a snapshot', () => {
  const snapshot = async (query = '') => {
    const entries: Change[] = [];
    for (let next = ''; ; ) {
      const page = await changes(`snapshot=true${query}${next && `&cursor=${next}`}`);
      entries.push(...page.data);
      if (page.nextCursor === null) return entries;
      next = page.nextCursor;
    }
  };

  it('has everything once: subjects of all types, advisories and distributions', async () => {
    await work.store(
      ...[account('x', 'acme'), artifact('acme/robot', 'part'), creator('nobody')],
      ...Array.from({ length: 20 }, (_, n) => listing(`base/tool-${n}`, { stars: n })),
    );
    await storeOsv(work.database, osvRecord('MAL-2026-1', 'bad'));
    await computeScoreDistributions(work.database);
    await publishAll(work.database);

    const whole = await snapshot('&limit=7');

    expect(sortById(whole.flatMap(({ agent }) => agent ?? []))).toEqual(await readList(read));
    const subjects = whole.flatMap(({ subject }) =>
      subject ? [[subject.canonical_id, subject] as const] : [],
    );
    expect(new Map(subjects)).toEqual(await readSubjects(work.database, read));
    expect(subjects.map(([, { type }]) => type).sort()).toEqual([
      'creator',
      'creator',
      'creator',
      'skill',
      'social_account',
    ]);
    expect(whole.flatMap(({ advisory, standing }) => advisory?.id ?? standing?.category ?? [])).toEqual([
      'MAL-2026-1',
      'coding',
    ]);
    expect(new Set(whole.map((each) => each.canonical_id ?? each.advisory?.id ?? 'standing')).size).toBe(
      whole.length,
    );
  });

  itAtNight('is filtered like changes', async () => {
    await work.store(account('x', 'acme'), creator('nobody'));
    await storeOsv(work.database, osvRecord('MAL-2026-1', 'bad'));
    await publishAll(work.database);

    const creators = await snapshot('&type=creator&kinds=verdict,advisory&limit=1');
    const advisories = await snapshot('&kinds=advisory');

    expect(creators.map(({ type, kinds }) => [type, kinds])).toEqual([
      ['creator', ['verdict']],
      ['creator', ['verdict']],
    ]);
    expect(advisories.map(({ advisory }) => advisory?.id)).toEqual(['MAL-2026-1']);
  });

  it('leads to the changes since its first page', async () => {
    const first = await changes('snapshot=true&limit=1');
    await work.store(listing('acme/tool'));
    await delistListing(work.database, { text: 'acme/robot', reason: 'It was spam', publicUrls });
    await publishAll(work.database);
    const seen: Change[] = [];
    for (let next = first.nextCursor; next !== null; ) {
      const page: ChangePage = await after(next);
      seen.push(...page.data);
      next = page.nextCursor;
    }

    expect(seen.map(({ agent }) => agent?.name)).toContain('tool');
    expect(seen.filter(({ removed }) => removed).map(({ type }) => type)).toEqual(['skill']);
  });

  itAtNight('whose beginning is lost is refused', async () => {
    const { nextCursor } = await changes('snapshot=true&limit=1');
    await work.database.query('TRUNCATE category_standing');
    await publishChanges(work.database);

    expect((await read(`/api/changes?snapshot=true&cursor=${nextCursor}`)).status).toBe(410);
  });

  it.each(
    sampleUnlessNightly(
      [
        ['subject', 'x'],
        ['artifact', 'x'],
        ['advisory', '\0'],
        [7, 7],
      ],
      ([kind]) => kind === 'subject',
    ),
  )('refuses the place %s', async (...place) => {
    const [watermark, xid, seq] = JSON.parse(Buffer.from(start, 'base64url').toString());
    const cursor = Buffer.from(JSON.stringify([watermark, xid, seq, ...place])).toString('base64url');

    expect((await read(`/api/changes?cursor=${cursor}`)).status).toBe(400);
  });
});

describeAtNight('a verdict', () => {
  it('of an account is a change of its own, and only when it becomes another one', async () => {
    // Enough facts of the account are known for a score.
    const known = (changes: Row) =>
      account('x', 'acme', {
        ...{ platformAccountId: '7', createdAt: '2020-01-01T00:00:00Z', verifiedMark: false, audience: 900 },
        ...{ audienceDayGrowth: 0, engagement: 0.02, lastPostAt: '2026-11-10T00:00:00Z', crossLink: 'none' },
        ...{ scamFlag: false, ...changes },
      });
    await work.store(known({ observedAt: '2026-11-20T00:00:00Z' }));
    await publishAll(work.database);
    const { cursor } = await after(start);
    const kindsOf = async (from: string) => {
      await scoreQueuedSubjects(work.database, embeddedBackend, new AbortController().signal, {
        begin: () => undefined,
        advance: () => undefined,
        end: () => undefined,
      });
      await publishAll(work.database);
      const page = await after(from);
      return {
        cursor: page.cursor,
        kinds: page.data.flatMap(({ type, kinds }) => (type === 'social_account' ? [kinds] : [])),
      };
    };

    await work.store(known({ engagement: 0.9, observedAt: '2026-11-21T00:00:00Z' }));
    const same = await kindsOf(cursor);
    await work.store(known({ crossLink: 'both', observedAt: '2026-11-22T00:00:00Z' }));
    const other = await kindsOf(same.cursor);

    expect(same.kinds.flat()).toContain('score');
    expect(same.kinds.flat()).not.toContain('verdict');
    expect(other.kinds.flat()).toContain('verdict');
  });
});
