import { describe, expect, it } from 'vitest';
import type { Connection } from './connect.ts';
import { queryTimeDependent, trackDependencies } from './tracked-dependencies.ts';

const IDS = ['11111111-1111-4111-8111-111111111111', '22222222-2222-4222-8222-222222222222'];

function answering(rows: object[]): Connection {
  return { models: {}, transaction: null, query: async () => rows } as unknown as Connection;
}

describe('a tracking connection', () => {
  it('records every id that was requested or found, however deeply nested', async () => {
    const rows = [{ at: new Date(), name: 'x', parts: [{ id: IDS[1] }], none: null, count: 3 }];
    const { connection, record } = trackDependencies(answering(rows));

    expect(await connection.query('SELECT $1', [[IDS[0], 'no id']])).toEqual(rows);

    expect([...record.ids]).toEqual(IDS);
    expect(record).toMatchObject({
      statements: 1,
      uncacheableReason: null,
      validUntil: Number.POSITIVE_INFINITY,
    });
  });

  it.each(['SELECT ledger_now()', 'SELECT x FROM proved_account', 'SELECT now()', 'SELECT CURRENT_DATE'])(
    'is unknown where %s is sent without saying how long it holds',
    async (sql) => {
      const { connection, record } = trackDependencies(answering([]));

      await connection.query(sql);

      expect(record.uncacheableReason).not.toBeNull();
    },
  );

  it('is uncacheable if a model is used', () => {
    const { connection, record } = trackDependencies(answering([]));

    expect(connection.models).toEqual({});

    expect(record.uncacheableReason).not.toBeNull();
  });

  it('is valid for the shortest validity of its statements', async () => {
    const { connection, record } = trackDependencies(answering([{ id: IDS[0] }]));
    const startedAt = performance.now();

    for (const ms of [60_000, 30_000, Number.POSITIVE_INFINITY])
      await queryTimeDependent(connection, 'SELECT ledger_now()', [], (rows) => ms * rows.length);

    expect(record.uncacheableReason).toBeNull();
    expect([...record.ids]).toEqual([IDS[0]]);
    expect(record.validUntil).toBeGreaterThanOrEqual(startedAt + 30_000);
    expect(record.validUntil).toBeLessThanOrEqual(performance.now() + 30_000);
  });
});
