import { randomUUID } from 'node:crypto';
import type { Model, ModelAttributeColumnOptions, ModelStatic } from 'sequelize';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../../testing/database.ts';

let test: TestDatabase;

beforeAll(async () => {
  test = await createTestDatabase();
});

afterAll(() => test.close());

/** One line per column: `account.handle text required` and the like. */
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

describe('models', () => {
  it('have exactly the tables and columns of the migrations, with type, nullability, default and key', async () => {
    const columns = await columnsOfMigrations();

    expect(columns.length).toBeGreaterThan(100);
    expect(columnsOfModels()).toEqual(columns);
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
