import { describe, expect, it } from 'vitest';
import type { Connection } from '../database/connect.ts';
import { trackDependencies } from '../database/tracked-dependencies.ts';
import { createBatchedRead } from './batched-read.ts';

const [ONE, OTHER, PART] = [1, 2, 3].map((digit) =>
  `${digit}`.repeat(8).concat('-1111-4111-8111-111111111111'),
) as [string, string, string];

interface Asked {
  id: string;
}

/** Creates a database that returns each requested id as a row, when the test allows it. */
function slowDatabase() {
  const sent: { asked: Asked[]; answer(): void }[] = [];
  const connection = {
    models: {},
    transaction: null,
    query: (_sql: string, [batch]: [string]) => {
      const asked = JSON.parse(batch) as (Asked & { n: number })[];
      return new Promise((resolve) => {
        sent.push({ asked, answer: () => resolve(asked.map(({ n, id }) => ({ n, id, part: `${PART}` }))) });
      });
    },
  } as unknown as Connection;
  return { connection, sent };
}

const turn = () => new Promise((resolve) => setImmediate(resolve));
const reader = () => createBatchedRead<Asked, Asked & { part: string }>({ sql: 'SELECT n, id, part' });

describe('batched reads', () => {
  it('are one statement while others are in flight, and each gets its own rows and dependencies', async () => {
    const { connection, sent } = slowDatabase();
    const read = reader();
    const recording = () => trackDependencies(connection).connection;
    const first = [read(recording(), { id: 'a' })];
    await turn();
    first.push(read(recording(), { id: 'b' }));
    await turn();
    const rest = ['c', 'd', 'e'].map((id) => read(recording(), { id }));
    await turn();
    expect(sent).toHaveLength(2);

    sent[0]?.answer();
    await turn();
    await turn();

    expect(sent.map(({ asked }) => asked.map(({ id }) => id))).toEqual([['a'], ['b'], ['c', 'd', 'e']]);
    for (const { answer } of sent) answer();
    const found = await Promise.all([...first, ...rest]);
    expect(found.map((rows) => rows.map(({ id }) => id))).toEqual([['a'], ['b'], ['c'], ['d'], ['e']]);
  });

  it('depend on what each of them requested and found only', async () => {
    const { connection, sent } = slowDatabase();
    const read = reader();
    const one = trackDependencies(connection);
    const other = trackDependencies(connection);
    const reading = Promise.all([read(one.connection, { id: ONE }), read(other.connection, { id: OTHER })]);
    await turn();
    expect(sent).toHaveLength(1);
    sent[0]?.answer();
    await reading;

    expect([...one.record.ids]).toEqual([ONE, PART]);
    expect([...other.record.ids]).toEqual([OTHER, PART]);
    expect(one.record).toMatchObject({
      statements: 1,
      uncacheableReason: null,
      validUntil: Number.POSITIVE_INFINITY,
    });
  });

  it('require goodForMs if the statement depends on the current time', async () => {
    const sql = 'SELECT n, ledger_now()';
    expect(() => createBatchedRead({ sql })).toThrow('depends on the current time');

    const { connection, sent } = slowDatabase();
    const { connection: recording, record } = trackDependencies(connection);
    const startedAt = performance.now();
    const reading = createBatchedRead<Asked, Asked>({ sql, goodForMs: (rows) => rows.length * 5_000 })(
      recording,
      {
        id: ONE,
      },
    );
    await turn();
    sent[0]?.answer();
    await reading;

    expect(record.uncacheableReason).toBeNull();
    expect(record.validUntil).toBeGreaterThanOrEqual(startedAt + 5_000);
    expect(record.validUntil).toBeLessThanOrEqual(performance.now() + 5_000);
  });
});
