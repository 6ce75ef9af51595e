import { beforeAll, describe, expect, it } from 'vitest';
import { type Person, useConsole } from '../../../../testing/console/console-harness.ts';
import { giveCredits, makeKey, makeSession } from '../../../../testing/factories.ts';
import { noteStatements, rowsReadOf } from '../../../../testing/read-rows.ts';
import { type MadeListing, makeCreator, makeListing } from '../../../../testing/subjects/registry.factory.ts';
import { ALL_RECEIPTS } from '../../../billing/receipts/read-receipts.ts';
import { type ReceiptSearch, searchReceipts } from '../../../billing/receipts/search-receipts.ts';
import { createPublicUrls } from '../../../catalog/subjects/public-path.ts';
import { hashSecret } from '../../../platform/http/credentials/secret.ts';

const world = useConsole();
const LIST = '/console/receipts';
const CALLS = 100_000;
/** Number of calls that one statement inserts. It is small, so that a loaded machine stays within the statement timeout. */
const BATCH = 4_000;
const EVERYTHING: ReceiptSearch = {
  ...ALL_RECEIPTS,
  limit: 25,
  keyId: null,
  text: null,
  keyIds: [],
};

let person: Person;
let busy: MadeListing;
let rare: MadeListing;
let keys: { laptop: string; ci: string };
let made = 0;
let rareCalls: string[];

/** Signs in a new person with two keys, who makes the following calls. */
async function meet(): Promise<void> {
  person = await world.signIn({ plan: 'builder' });
  await giveCredits(world.database, person.accountId, 1);
  keys = { laptop: (await named('Laptop of Ann')).id, ci: (await named('ci')).id };
}

beforeAll(async () => {
  const { database } = world;
  await meet();
  const creator = await makeCreator(database, { handle: 'rare-makers' });
  busy = await makeListing(database, { repository: 'acme/busy', name: 'Busy', type: 'agent' });
  rare = await makeListing(database, { repository: 'rare-makers/Robot', name: 'Rōbot <b>', creator });
  // Insert one call a minute until a day ago, all with one key and about one subject. Also insert a few older calls about
  // another subject; one of them, much older, is a lineage report.
  for (let each = 0; each < CALLS; each += BATCH)
    await insertRuns({ count: BATCH, newest: 1440 + each, key: keys.ci, subject: busy.id });
  const report = { operation: 'agent_skill_lineage', key: keys.ci, subject: rare.id };
  const old = await insertRuns({ count: 3, newest: CALLS + 2000, key: keys.ci, subject: rare.id });
  rareCalls = [...(await insertRuns({ count: 1, newest: 60_000, ...report })), ...old.reverse()];
});

async function named(name: string) {
  const key = await makeKey(world.database, person.accountId);
  await world.database.query('UPDATE access_key SET name = $2 WHERE id = $1', [key.id, name]);
  return key;
}

interface Runs {
  count: number;
  /** Age of the newest of these calls in minutes. */
  newest: number;
  /** Times of the calls; by default one call a minute. */
  at?: string[];
  key: string | null;
  subject: string;
  operation?: string;
  accountId?: string;
}

/** Inserts settled calls, one a minute. */
async function insertRuns(runs: Runs): Promise<string[]> {
  const { count, newest, at = null, key, subject, operation, accountId } = runs;
  made += count;
  const rows = await world.database.query<{ ledger_id: string }>(
    `INSERT INTO ended_run (account_id, ledger_id, key_id, session_id, bucket_id, idempotency_key, fingerprint, attempt, operation,
       subject_id, source, price_credits, amount, state, lease_until, created_at, ended_at, score_version)
     SELECT b.account_id, lpad(to_hex($8::int + n), 32, '0')::uuid, $5::uuid, CASE WHEN $5 IS NULL THEN gen_random_uuid() END, b.id,
       'call ' || $8::int + n, sha256(''), 1, $6, $4, b.source, 1, 1, 'settled', at, at, at, at
     FROM credit_bucket b, (SELECT n, ledger_now() - make_interval(mins => $2 + n) FROM generate_series(0, $1 - 1) n
         WHERE $7::timestamptz[] IS NULL
       UNION ALL SELECT n, $7[1 + n] FROM generate_series(0, $1 - 1) n WHERE $7 IS NOT NULL) moment(n, at)
     WHERE b.account_id = $3 AND b.source = 'gifted' ORDER BY at RETURNING ledger_id`,
    [
      count,
      newest,
      accountId ?? person.accountId,
      subject,
      key,
      operation ?? 'agent_score',
      at,
      made - count,
    ],
  );
  return rows.map(({ ledger_id }) => ledger_id);
}

const rowsIn = (body: string) =>
  [...body.matchAll(/href="\/console\/receipts\/([\da-f-]{36})"/g)].map(([, id = '']) => id);
const linkIn = (body: string, rel: string) =>
  new RegExp(`rel="${rel}" href="([^"]*)"`).exec(body)?.[1]?.replaceAll('&amp;', '&') ?? null;
const find = async (query: Record<string, string>) =>
  (await person.get(`${LIST}?${new URLSearchParams(query)}`)).body;

/** Returns the ids of the receipts on all pages of a search, and these pages. */
async function findAll(query: Record<string, string>): Promise<{ ids: string[]; pages: string[] }> {
  const pages = [await find(query)];
  for (let next = linkIn(pages[0] ?? '', 'next'); next !== null; next = linkIn(pages.at(-1) ?? '', 'next'))
    pages.push((await person.get(next)).body);
  return { ids: pages.flatMap(rowsIn), pages };
}

describe('a search among 100,000 calls', () => {
  it('reaches the oldest by links, states how far it searched, and lists every call once in order', async () => {
    const { ids, pages } = await findAll({ q: 'rare-makers/robot' });

    expect(ids).toEqual(rareCalls);
    expect(pages.length).toBeGreaterThan(1);
    expect(pages.length).toBeLessThan(5);
    expect(pages[0]).toMatch(
      /No call matches “<bdi>rare-makers\/robot<\/bdi>” since <time.*Older calls were not searched yet/,
    );
    expect(pages[0]).toContain('>Search older calls<');
    expect(pages.at(-1)).toContain('Matching calls “<bdi>rare-makers/robot</bdi>”');
    expect(pages.at(-1)).not.toContain('Older calls were not searched yet');
  });

  it('reads a bounded number of calls by the index for any query', async () => {
    const { token } = await makeSession(world.database, person.accountId);
    const credential = { kind: 'session', hash: hashSecret(token) } as const;
    const { noting, sent } = noteStatements(world.database, 'runs_read');
    const search = { ...EVERYTHING, text: 'nothing is called so', keyId: keys.laptop };
    const publicUrls = createPublicUrls('http://127.0.0.1:4000');
    const { stoppedAt } = await searchReceipts(noting, publicUrls, credential, search);

    expect(stoppedAt).toMatchObject({ ledger_id: expect.any(String) });
    let read = 0;
    for (const statement of sent) {
      const { rows, kinds } = await rowsReadOf('ended_run', world.database, statement);
      expect(kinds).not.toContain('Seq Scan');
      read += rows;
    }
    expect(read).toBeGreaterThanOrEqual(40_000);
    expect(read).toBeLessThanOrEqual(45_000);
  });
});

describe('calls are found', () => {
  let calls: Record<string, string>;
  beforeAll(async () => {
    const { database } = world;
    await meet();
    const other = await makeListing(database, { repository: 'acme/loud-horn', name: 'Horn', type: 'skill' });
    const one = async (newest: number, runs: Partial<Runs>) =>
      (await insertRuns({ count: 1, newest, key: keys.ci, subject: rare.id, ...runs }))[0] ?? '';
    calls = {
      rare: await one(10, {}),
      lineage: await one(20, { operation: 'agent_skill_lineage', key: keys.laptop }),
      horn: await one(30, { subject: other.id, operation: 'skill_score' }),
      maker: await one(40, { subject: rare.creator.id, operation: 'creator_score', key: null }),
    };
    const stranger = await world.signIn();
    await giveCredits(database, stranger.accountId, 1);
    await insertRuns({ count: 2, newest: 5, key: null, subject: rare.id, accountId: stranger.accountId });
  });

  it.each<[string, () => Record<string, string>, string[]]>([
    ['by owner and repository', () => ({ q: 'Rare-Makers/robot' }), ['rare', 'lineage']],
    ['by a part of the name', () => ({ q: 'rōbot <' }), ['rare', 'lineage']],
    ['by a part of the repository', () => ({ q: 'loud' }), ['horn']],
    ['by AGT- id', () => ({ q: rare.agentId }), ['rare', 'lineage']],
    ['by canonical id', () => ({ q: rare.id.toUpperCase() }), ['rare', 'lineage']],
    ['by address', () => ({ q: 'https://github.com/acme/loud-horn.git' }), ['horn']],
    ['by handle', () => ({ q: '@rare-makers' }), ['maker']],
    ['by the name of a key', () => ({ q: 'of ann' }), ['lineage']],
    ['by a chosen key', () => ({ key: keys.laptop }), ['lineage']],
    ['by subject and operation', () => ({ q: 'rōbot', operation: 'agent_score' }), ['rare']],
    ['by subject and key', () => ({ q: 'rōbot', key: keys.laptop }), ['lineage']],
  ])('%s, and nobody else’s are', async (_, query, expected) => {
    const ids = rowsIn(await find({ ...query(), day: '' }));

    expect(ids).toEqual(expected.map((name) => calls[name]));
  });

  it('by ledger id, which opens the receipt', async () => {
    const { statusCode, headers } = await person.get(`${LIST}?q=${calls.horn?.toUpperCase()}`);

    expect([statusCode, headers.location]).toEqual([303, `${LIST}/${calls.horn}`]);
  });

  it('by day, from its first moment to its last, with a search and without one', async () => {
    const at = [
      '2026-01-14T23:59:59.999999Z',
      '2026-01-15T00:00:00Z',
      '2026-01-15T23:59:59.999999Z',
      '2026-01-16T00:00:00Z',
    ];
    const ids = await insertRuns({ count: 4, newest: 0, at, key: keys.ci, subject: rare.id });
    const ofDay = [ids[2], ids[1]];

    expect(rowsIn(await find({ day: '2026-01-15' }))).toEqual(ofDay);
    expect(rowsIn(await find({ day: '2026-01-15', q: 'robot' }))).toEqual(ofDay);
    expect(await find({ day: '2026-01-15', q: 'horn' })).toContain('No call matches “<bdi>horn</bdi>”.');
    expect(await find({ day: '2026-01-32', q: 'horn' })).not.toContain('No call matches');
  });

  it('by a form that keeps the query in the URL', async () => {
    const body = await find({ q: '"><script>', operation: 'skill_score', state: 'settled', key: keys.ci });

    expect(body).toMatch(/<form class="finder" action="\/console\/receipts" method="get">/);
    expect(body).toContain('name="q" value="&quot;>&lt;script>"');
    expect(body).not.toContain('<script>');
    for (const chosen of ['skill_score', 'settled', keys.ci])
      expect(body).toContain(`<option value="${chosen}" selected>`);
    expect(body).toContain('>See all receipts<');
  });
});
