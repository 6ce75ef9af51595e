import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../../testing/database.ts';
import type { Database } from '../../platform/database/connect.ts';
import { ACCOUNT_FACTS } from './account-facts.queries.ts';
import { loadFacts } from './load-facts.ts';

let test: TestDatabase;
let database: Database;

beforeAll(async () => {
  test = await createTestDatabase();
  database = test.database;
});
afterAll(() => test?.close());

async function makeAccount(columns: Record<string, unknown> = {}): Promise<string> {
  const id = randomUUID();
  await database.query("INSERT INTO subject (id, type, name) VALUES ($1, 'messaging_account', 'News')", [id]);
  const given = { handle: id, updated_at: '2026-11-01T00:00:00Z', ...columns };
  const names = Object.keys(given);
  await database.query(
    `INSERT INTO platform_account (subject_id, registry_row_id, type, kind, platform, source, ${names.join(', ')})
     VALUES ($1, gen_random_uuid(), 'messaging_account', 'channel', 't.me', 'some/list',
       ${names.map((_, index) => `$${index + 2}`).join(', ')})`,
    [id, ...Object.values(given)],
  );
  return id;
}

describe('facts of a platform account', () => {
  it('are its columns, each as old as the reading and from whom it came', async () => {
    const id = await makeAccount({
      verified_mark: false,
      account_created_at: '2020-01-01T00:00:00Z',
      audience: 86_261,
      audience_day_growth: 0.6,
      engagement: 0.0116,
      last_post_at: '2026-11-19T00:00:00Z',
      cross_link: 'one',
      scam_flag: false,
      observed_at: '2026-11-20T00:00:00Z',
    });

    const loaded = (await ACCOUNT_FACTS.load(database, [id])).get(id);

    const seen = { observedAt: '2026-11-20T00:00:00.000000Z', source: 'some/list' };
    expect(loaded?.subject).toEqual({ id, type: 'messaging_account', name: 'News', repository: null });
    expect(loaded?.facts).toEqual({
      kind: 'channel',
      verifiedMark: { value: false, ...seen },
      accountCreatedAt: { value: '2020-01-01T00:00:00.000000Z', ...seen },
      audience: { value: 86_261, ...seen },
      audienceDayGrowth: { value: 0.6, ...seen },
      engagement: { value: 0.0116, ...seen },
      lastPostAt: { value: '2026-11-19T00:00:00.000000Z', ...seen },
      crossLink: { value: 'one', ...seen },
      scamFlag: { value: false, ...seen },
    });
  });

  it('are unknown where a column is empty, and as old as the row where no reading has a date', async () => {
    const id = await makeAccount({ audience: 0 });

    const facts = (await ACCOUNT_FACTS.load(database, [id])).get(id)?.facts;

    const { kind, audience, ...unknown } = facts ?? {};
    expect(audience).toEqual({ value: 0, observedAt: '2026-11-01T00:00:00.000000Z', source: 'some/list' });
    expect(Object.values(unknown)).toEqual(Array(7).fill(null));
  });
});

describe('facts of subjects of any type', () => {
  it('are loaded by the type of each, and of nothing else', async () => {
    const account = await makeAccount();
    const bare = randomUUID();
    await database.query("INSERT INTO subject (id, type, name) VALUES ($1, 'skill', 'gone')", [bare]);

    const loaded = await loadFacts(database, [account, bare, randomUUID()]);

    expect([...loaded.keys()]).toEqual([account]);
    expect((await loadFacts(database, [])).size).toBe(0);
  });
});
