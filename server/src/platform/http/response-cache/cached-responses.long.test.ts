import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { replaceClock, setClock } from '../../../../testing/clock.ts';
import { createTestDatabase, type TestDatabase } from '../../../../testing/database.ts';
import { giveCredits, makeAccount } from '../../../../testing/factories.ts';
import { openReadingProcess, type ReadingProcess } from '../../../../testing/http/reading-process.ts';
import { sampleUnlessNightly } from '../../../../testing/nightly.ts';
import { writeListings } from '../../../../testing/outdated-copies.ts';
import { type DirectoryWorld, makeDirectoryWorld } from '../../../../testing/pages/directory-world.ts';
import { makeArtifact, makeListing } from '../../../../testing/subjects/registry.factory.ts';
import { createPublicUrls } from '../../../catalog/subjects/public-path.ts';
import { delistListing } from '../../../directory/delisting/delist-listing.ts';
import { relistListing } from '../../../directory/delisting/relist-listing.ts';
import { scoreSubjects } from '../../../scoring/batches/score-subjects.ts';
import { embeddedBackend } from '../../../scoring/embedded/embedded-backend.ts';
import type { Database } from '../../database/connect.ts';

/** URL suffixes that only a nightly run reads: lists that differ from another list in one parameter. */
const AT_NIGHT = ['?sort=name', '?verified=true', '?category=coding', '?offset=20', '?type=skill', '?page=2'];

const publicUrls = createPublicUrls('http://127.0.0.1:4000');

let test: TestDatabase;
let world: DirectoryWorld;
let writing: ReadingProcess;
let other: ReadingProcess;
/** Process without a cache; its responses are the expected ones. */
let truth: ReadingProcess;
let addresses: readonly string[];

beforeAll(async () => {
  test = await createTestDatabase();
  await replaceClock(test.database);
  world = await makeDirectoryWorld(test.database);
  // It receives no notifications, so it knows its own writes only.
  writing = await openReadingProcess(test.url, { notificationsUrl: null });
  other = await openReadingProcess(test.url);
  truth = await openReadingProcess(test.url, { isCaching: false });
  const [base] = await test.database.query<{ id: string }>(
    "SELECT agent_id AS id FROM listing WHERE repository = 'openbench/harness'",
  );
  const { robot, creator } = world;
  addresses = sampleUnlessNightly(
    [
      ...[
        '',
        '?sort=name',
        '?sort=score_asc',
        '?verified=true',
        '?tier=low',
        '?category=coding',
        '?q=notes',
        '?offset=20',
      ].map((query) => `/api/agents${query}`),
      `/api/agents/${robot.agentId}`,
      `/api/agents/${base?.id}`,
      `/api/agents/${robot.agentId}/lineage`,
      `/api/agents/${base?.id}/lineage`,
      '/api/identity/acme',
      '/api/subjects?subject=acme/changelog-agent',
      `/api/subjects/${creator.id}`,
      ...[
        '/',
        '/agents',
        '/agents?q=notes',
        '/agents?type=skill',
        '/agents?page=2',
        '/a/acme/changelog-agent',
        '/a/openbench/harness',
        '/s/weekly/digest',
      ],
      ...['/s/acme/changelog-agent/write-notes', '/c/acme', '/c/robin-writes', '/u/x/acmerobotics'],
      `/badge/agent/${robot.agentId}.svg`,
      `/badge/agent/${robot.agentId}.json`,
    ],
    (url) => !AT_NIGHT.some((end) => url.endsWith(end)),
  );
}, 120_000);
afterAll(async () => {
  for (const each of [writing, other, truth]) await each?.close();
  await test?.close();
});

/** Reads all responses of a process, by URL. */
async function answersOf(process: ReadingProcess): Promise<Record<string, unknown>> {
  const answers: Record<string, unknown> = {};
  for (const url of addresses) {
    const { statusCode, headers, body } = await process.app.inject(url);
    const { 'x-request-id': _id, date: _date, ...told } = headers;
    answers[url] = { statusCode, headers: told, body };
  }
  return answers;
}

async function change(sql: string, ...bind: unknown[]): Promise<void> {
  await writeListings(writing.services.database, sql, bind);
}

async function callAgentScore(): Promise<void> {
  const { database } = writing.services;
  const { accountId, key } = await makeAccount(database);
  await giveCredits(database, accountId, 100);
  const called = await writing.app.inject({
    method: 'POST',
    url: '/api/svc/operations/run',
    headers: { authorization: `Bearer ${key.secret}` },
    payload: { operation: 'agent_score', subject: world.robot.agentId, idempotency_key: 'once' },
  });
  expect(called.json()).toMatchObject({ settled: true });
}

const scoreAnew = (ids: string[]) => scoreSubjects(writing.services.database, embeddedBackend, ids);
const database = (): Database => writing.services.database;

/** Changes of all kinds that affect public responses. */
const CHANGES: Readonly<Record<string, () => Promise<unknown>>> = {
  'a settled call': callAgentScore,
  'a new score of its creator': async () => {
    await change("UPDATE creator SET created_at = '2012-01-01' WHERE subject_id = $1", world.creator.id);
    await scoreAnew([world.creator.id]);
  },
  'a new score of its parent': async () => {
    await change("UPDATE listing SET stars = 90000, forks = 9000 WHERE repository = 'openbench/harness'");
    const [base] = await database().query<{ id: string }>(
      "SELECT subject_id AS id FROM listing WHERE repository = 'openbench/harness'",
    );
    await scoreAnew([base?.id ?? '']);
  },
  'a score of one that it shows nothing of, by which the list is ordered': async () => {
    await change(
      "UPDATE listing_rank k SET trust = 99.9, confidence = 99.9, tier = 'high', score_version = coalesce(k.score_version, now()) FROM listing l WHERE l.subject_id = k.subject_id AND repository = 'unknown-hands/notes'",
    );
  },
  'what its host says of it': () =>
    change('UPDATE listing SET stars = 777 WHERE subject_id = $1', world.robot.id),
  'its words': () =>
    change("UPDATE listing SET name = 'Other', description = 'Words' WHERE subject_id = $1", world.robot.id),
  'the words that searches look at': () =>
    change(
      "UPDATE listing_words SET words = words || array_to_tsvector(ARRAY['notes']) WHERE agent_id <> $1 AND category = 'data'",
      world.robot.agentId,
    ),
  // This comes before the verified flag of its parent is removed, because only the acknowledgement of a verified owner
  // counts.
  'the acknowledgement of a child': () =>
    change("UPDATE listing SET parent_acknowledged_at = now() WHERE repository = 'weekly/digest'"),
  'its mark': () =>
    change('UPDATE listing SET verified = NOT verified WHERE subject_id = $1', world.robot.id),
  'its creator’s mark and name': () =>
    change(
      "UPDATE creator SET verified = false, display_name = 'Renamed' WHERE subject_id = $1",
      world.creator.id,
    ),
  'its creator’s handle': async () => {
    await change("UPDATE creator SET handle = 'acme-two' WHERE subject_id = $1", world.creator.id);
    await change("UPDATE creator SET handle = 'acme' WHERE subject_id = $1", world.creator.id);
  },
  'another creator': () =>
    change(
      "UPDATE listing SET creator_id = (SELECT subject_id FROM creator WHERE handle = 'robin-writes') WHERE subject_id = $1",
      world.robot.id,
    ),
  'a proof that is taken back': () =>
    change(
      "UPDATE linked_account SET removed_at = ledger_now(), check_due_at = NULL WHERE kind = 'node_packages'",
    ),
  'a new child': () => makeListing(database(), { parentId: world.robot.id, repository: 'new/child' }),
  'a new artifact': () => makeArtifact(database(), world.robot, { name: 'another' }),
  'a name that leads to two': () =>
    change(
      "INSERT INTO subject_alias SELECT 'github.com/acme/changelog-agent', type, id, 'identity' FROM subject WHERE name = 'Tool 3'",
    ),
  'that name taken away': () =>
    change(
      "DELETE FROM subject_alias a USING subject s WHERE s.id = a.subject_id AND s.name = 'Tool 3' AND label = 'github.com/acme/changelog-agent'",
    ),
  'a subject’s own name': () =>
    change("UPDATE subject SET name = 'Renamed' WHERE name = 'write-notes' OR type = 'social_account'"),
  'a platform’s word on an account': () =>
    change("UPDATE platform_account SET audience = 1 WHERE platform = 'x'"),
  delisting: () =>
    delistListing(database(), { text: 'acme/changelog-agent', reason: 'asked for', publicUrls }),
  'listing again': () => relistListing(database(), 'acme/changelog-agent', publicUrls),
  'an import': () =>
    change("UPDATE listing SET description = 'Imported: ' || description, updated_at = ledger_now()"),
};

/** Changes that every run makes, one of each kind: a score, a proof, a delisting and an import. */
const CHANGES_BY_DAY = [
  'a settled call',
  'a proof that is taken back',
  'delisting',
  'listing again',
  'an import',
];
/** Responses without a cache after the last change. */
let last: Record<string, unknown> | null = null;

describe('cached responses', () => {
  it('equal those of a process without a cache, and need no statement', async () => {
    const asked = [await answersOf(writing), await answersOf(other)];
    const sent = [writing.statements(), other.statements()];

    const again = [await answersOf(writing), await answersOf(other)];
    const whole = [await answersOf(writing), await answersOf(other)];

    const expected = await answersOf(truth);
    for (const answers of [...asked, ...again, ...whole]) expect(answers).toEqual(expected);
    expect([writing.statements(), other.statements()]).toEqual(sent);
  });

  it.each(sampleUnlessNightly(Object.keys(CHANGES), (name) => CHANGES_BY_DAY.includes(name)))(
    'show %s with the next read of every process',
    async (name) => {
      // The first request, after the change before, cached a response; the second caches its serialized form.
      for (const process of [writing, other]) await answersOf(process);
      const before = last ?? (await answersOf(truth));

      await CHANGES[name]?.();
      const own = await answersOf(writing);

      const expected = await answersOf(truth);
      last = expected;
      // A handle that was changed and changed back leaves no difference.
      if (name !== 'its creator’s handle') expect(expected).not.toEqual(before);
      expect(own).toEqual(expected);
      expect(await answersOf(other)).toEqual(expected);
    },
  );

  it.each([
    ['a proof counts no more', '2027-01-12T23:59:59.950Z', ['/c/acme', '/api/identity/acme']],
    ['an age is told otherwise', '2026-11-21T08:59:59.950Z', ['/c/acme', '/a/acme/changelog-agent']],
  ])('end where %s, with no change of any row', async (_why, justBefore, urls) => {
    await setClock(test.database, justBefore);
    writing.cache?.invalidate('*');
    const held = () => urls.filter((url) => writing.cache?.get(url) !== undefined);

    await answersOf(writing);

    // The hold lasts 50 ms, which may have passed already.
    await vi.waitUntil(() => held().length === 0, { timeout: 60_000 });
    expect(writing.cache?.get('/api/agents')).toBeDefined();
  });
});
