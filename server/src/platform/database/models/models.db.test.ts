import { randomUUID } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Model, ModelAttributeColumnOptions, ModelStatic } from 'sequelize';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../../../testing/database.ts';

const SOURCES = fileURLToPath(new URL('../../../', import.meta.url));

let test: TestDatabase;

beforeAll(async () => {
  test = await createTestDatabase();
});

afterAll(() => test.close());

/** Lists the columns, one line each, such as `account.handle text required`. */
async function columnsOfMigrations(): Promise<string[]> {
  const rows = await test.database.query<{ line: string }>(`
    SELECT concat_ws(' ', c.relname || '.' || a.attname, format_type(a.atttypid, NULL),
      CASE WHEN a.attnotnull THEN 'required' ELSE 'optional' END,
      CASE WHEN a.atthasdef OR a.attidentity <> '' OR a.attgenerated <> '' THEN 'filled' END,
      CASE WHEN k.conkey IS NOT NULL THEN 'key' END) AS line
    FROM pg_class c
    JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
    LEFT JOIN pg_constraint k ON k.conrelid = c.oid AND k.contype = 'p' AND a.attnum = ANY (k.conkey)
    WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p') AND c.relname <> 'schema_migration'`);
  return rows.map(({ line }) => line).sort();
}

const POSTGRES_NAME: Readonly<Record<string, string>> = {
  'TIMESTAMP WITH TIME ZONE': 'timestamp with time zone',
};

function typeName(column: ModelAttributeColumnOptions): string {
  const sql = (column.type as { toSql(): string }).toSql();
  return POSTGRES_NAME[sql] ?? sql.toLowerCase();
}

function columnsOfModels(): string[] {
  return Object.values<ModelStatic<Model>>(test.database.sequelize.models)
    .flatMap((model) =>
      Object.values<ModelAttributeColumnOptions>(model.getAttributes()).map((column) =>
        [
          `${model.getTableName()}.${column.field}`,
          typeName(column),
          column.allowNull === false ? 'required' : 'optional',
          ...(column.defaultValue === undefined ? [] : ['filled']),
          ...(column.primaryKey ? ['key'] : []),
        ].join(' '),
      ),
    )
    .sort();
}

/** Tables without a model, and why all statements on them are SQL. */
const BY_SQL_ALONE: Readonly<Record<string, string>> = {
  advisory: 'written in batches by an import, read with the packages that it affects',
  advisory_dispute: 'written in batches by an import, joined with the advisories that it disputes',
  change: 'written by triggers',
  change_watermark: 'Sequelize has no transaction ids',
  advisory_history: 'copied from the advisory that a newer record replaces',
  advisory_package: 'written in batches by an import, joined with the packages that are asked about',
  advisory_reading: 'renewed in one statement, read by its latest time',
  artifact_other_name: 'written in batches, read with the names of its artifact',
  artifact: 'written in batches by an import, and read with its listing',
  bucket_entry: 'written with its bucket, in their statement',
  category_standing: 'counted and replaced in one statement',
  creator_equity: 'replaced as a whole',
  delisted_name: 'names move here and back in one statement',
  key_spending: 'written by the triggers that count runs, read with its key and the current month',
  ended_run: 'the statements of the ledger, and lists that read the caller in the same statement',
  last_run: 'one row of each kind, written over in one statement',
  listed_name: 'written by triggers, looked through by beginnings and words',
  listing_claim: 'made and decided in one statement each, with the listing that it is for',
  listing_creator_history: 'written by the statements that change creators',
  listing_former_words: 'copied from the listing where it stands',
  listing_order: 'written with listings, for lists to be walked along',
  listing_rank: 'written with listings and scores, for lists to be walked along',
  listing_registry_words: 'copied from the listing where it stands',
  listing_total: 'written by a trigger, summed and folded in one statement',
  listing_words: 'search words, written in batches',
  mcp_registry_entry: 'written in batches, read with the listings of its repositories',
  observed_fact: 'written in batches, read with the facts of its listing',
  open_run: 'the statements of the ledger',
  package_reading: 'written in batches by an import, compared with the stored reading in the same statement',
  platform_account: 'written in batches by an import, and by the proof of its handle in one statement',
  primary_timeline: 'one row, written over by what the primary says of itself',
  registration_key: 'looked up and written beside a lock, within a registration',
  relation: 'written in batches by an import, walked as lineage',
  running_server: 'one row of each server, renewed in one statement',
  score_archive: 'rolled up and looked at in one statement',
  score_evidence: 'written with its version, in their statement',
  score_refresh: 'asks and notes in one statement: of many at once it lets one through',
  score_version: 'recorded with microseconds, which a Date would lose',
  search_word: 'written in batches, recounted in one statement, asked by stems and trigrams',
  source_reading: 'leased, scheduled and completed in one statement each',
  standing_look: 'one row, written with what was counted',
  subject_alias: 'written in batches, read by the resolver',
};

const tableOf = (line: string) => line.split('.')[0] ?? '';

describe('models', () => {
  it('have the columns of their tables, with type, nullability, default and key', async () => {
    const columns = await columnsOfMigrations();
    const ofModels = columns.filter((line) => !(tableOf(line) in BY_SQL_ALONE));

    expect(ofModels.length).toBeGreaterThan(100);
    expect(columnsOfModels()).toEqual(ofModels);
  });

  it('stand for every table but those that SQL alone reads and writes', async () => {
    const tables = new Set((await columnsOfMigrations()).map(tableOf));

    const withModel = Object.values(test.database.sequelize.models).map((model) => `${model.getTableName()}`);

    expect([...withModel, ...Object.keys(BY_SQL_ALONE)].sort()).toEqual([...tables].sort());
  });

  it('are each used by a file of queries', () => {
    const repositories = readdirSync(SOURCES, { recursive: true })
      .filter((file) => `${file}`.endsWith('.queries.ts'))
      .map((file) => readFileSync(join(SOURCES, `${file}`), 'utf8'));

    const idle = Object.keys(test.database.models).filter(
      (model) => !repositories.some((text) => new RegExp(`\\bmodels\\.${model}\\b`).test(text)),
    );

    expect(idle).toEqual([]);
  });

  it('leave defaults, identities and generated columns to the database, and read back what it made', async () => {
    const { models } = test.database;
    const before = Date.now();

    const account = await models.Account.create(
      { id: randomUUID(), handle: 'defaults', plan: 'free' },
      { transaction: null },
    );
    const bucket = await models.CreditBucket.create(
      {
        accountId: account.id,
        source: 'gifted',
        unit: 'credit',
        periodKind: 'grant',
        validFrom: new Date('2026-01-01T00:00:00Z'),
        validTo: new Date('2027-01-01T00:00:00Z'),
        total: 50,
      },
      { transaction: null },
    );

    expect(account.overageEnabled).toBe(false);
    expect(account.createdAt.getTime()).toBeGreaterThan(before - 1_000);
    expect(bucket.id).toBeGreaterThan(0);
    expect([bucket.prio, bucket.total, bucket.used, bucket.held]).toEqual([2, 50, 0, 0]);
  });

  it('write and read arrays, documents, hashes and moments', async () => {
    const { models } = test.database;
    const accountId = randomUUID();
    await models.Account.create({ id: accountId, handle: 'values', plan: 'free' }, { transaction: null });
    const session = await models.Session.create(
      {
        id: randomUUID(),
        accountId,
        tokenHash: Buffer.alloc(32, 7),
        openedBy: 'operator',
        expiresAt: new Date('2030-01-01T00:00:00.123Z'),
      },
      { transaction: null },
    );
    const key = await models.AccessKey.create(
      {
        id: randomUUID(),
        accountId,
        sessionId: session.id,
        keyHash: Buffer.alloc(32, 9),
        lastFour: 'wxyz',
        name: "it's",
        scopes: ['scores:read', 'lineage:read'],
      },
      { transaction: null },
    );

    const stored = await models.AccessKey.findByPk(key.id, { transaction: null });
    const storedSession = await models.Session.findOne({ where: { accountId }, transaction: null });

    expect(stored?.scopes).toEqual(['scores:read', 'lineage:read']);
    expect(stored?.keyHash).toEqual(Buffer.alloc(32, 9));
    expect(stored?.expiresAt).toBeNull();
    expect(stored?.name).toBe("it's");
    expect(storedSession?.expiresAt).toEqual(new Date('2030-01-01T00:00:00.123Z'));
  });

  it('insert many rows at once with the defaults that the rows leave out', async () => {
    const { Creator, Subject } = test.database.models;
    const ids = [randomUUID(), randomUUID()];
    await Subject.bulkCreate(
      ids.map((id) => ({ id, type: 'creator' as const, name: id })),
      { transaction: null },
    );

    await Creator.bulkCreate(
      ids.map((subjectId, index) => ({
        subjectId,
        host: 'github.com',
        handle: subjectId,
        ...(index === 0 ? { verified: true, imported: { list: [1, { deep: '$1' }] } } : {}),
      })),
      { transaction: null },
    );

    const first = await Creator.findByPk(ids[0], { transaction: null });
    const second = await Creator.findByPk(ids[1], { transaction: null });
    expect([first?.verified, first?.imported]).toEqual([true, { list: [1, { deep: '$1' }] }]);
    expect([second?.verified, second?.imported]).toEqual([false, null]);
  });
});
