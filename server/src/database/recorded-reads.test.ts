import { describe, expect, it } from 'vitest';
import type { Connection } from './connect.ts';
import { queryForNow, recordReads } from './recorded-reads.ts';

const IDS = ['11111111-1111-4111-8111-111111111111', '22222222-2222-4222-8222-222222222222'];

function answering(rows: object[]): Connection {
  return { models: {}, transaction: null, query: async () => rows } as unknown as Connection;
}

describe('what is read through a recording connection', () => {
  it('is noted by every id that was asked for or found, however deep', async () => {
    const rows = [{ at: new Date(), name: 'x', parts: [{ id: IDS[1] }], none: null, count: 3 }];
    const { connection, record } = recordReads(answering(rows));

    expect(await connection.query('SELECT $1', [[IDS[0], 'no id']])).toEqual(rows);

    expect([...record.ids]).toEqual(IDS);
    expect(record).toMatchObject({ statements: 1, unknown: null, goodUntil: Number.POSITIVE_INFINITY });
  });

  it.each(['SELECT ledger_now()', 'SELECT x FROM proved_account', 'SELECT now()', 'SELECT CURRENT_DATE'])(
    'is unknown where %s is sent without saying how long it holds',
    async (sql) => {
      const { connection, record } = recordReads(answering([]));

      await connection.query(sql);

      expect(record.unknown).not.toBeNull();
    },
  );

  it('is unknown where a model is used', () => {
    const { connection, record } = recordReads(answering([]));

    expect(connection.models).toEqual({});

    expect(record.unknown).not.toBeNull();
  });

  it('holds for as long as the shortest of its statements says', async () => {
    const { connection, record } = recordReads(answering([{ id: IDS[0] }]));
    const startedAt = performance.now();

    for (const ms of [60_000, 30_000, Number.POSITIVE_INFINITY])
      await queryForNow(connection, 'SELECT ledger_now()', [], (rows) => ms * rows.length);

    expect(record.unknown).toBeNull();
    expect([...record.ids]).toEqual([IDS[0]]);
    expect(record.goodUntil).toBeGreaterThanOrEqual(startedAt + 30_000);
    expect(record.goodUntil).toBeLessThanOrEqual(performance.now() + 30_000);
  });
});
