import { describe, expect, it } from 'vitest';
import type { Connection } from './connect.ts';
import { readTogether } from './read-together.ts';
import { recordReads } from './recorded-reads.ts';

const [ONE, OTHER, PART] = [1, 2, 3].map((digit) =>
  `${digit}`.repeat(8).concat('-1111-4111-8111-111111111111'),
) as [string, string, string];

interface Asked {
  id: string;
}

/** A database that answers every asked id with itself, and each statement only once the test says so. */
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
const reader = () => readTogether<Asked, Asked & { part: string }>({ sql: 'SELECT n, id, part' });

describe('reads of one kind', () => {
  it('go as one statement where others are under way, each recorded by itself, and each has its own rows', async () => {
    const { connection, sent } = slowDatabase();
    const read = reader();
    const recording = () => recordReads(connection).connection;
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

  it('are noted by what each of them asked for and found, and by nothing of the others', async () => {
    const { connection, sent } = slowDatabase();
    const read = reader();
    const one = recordReads(connection);
    const other = recordReads(connection);
    const reading = Promise.all([read(one.connection, { id: ONE }), read(other.connection, { id: OTHER })]);
    await turn();
    expect(sent).toHaveLength(1);
    sent[0]?.answer();
    await reading;

    expect([...one.record.ids]).toEqual([ONE, PART]);
    expect([...other.record.ids]).toEqual([OTHER, PART]);
    expect(one.record).toMatchObject({ statements: 1, unknown: null, goodUntil: Number.POSITIVE_INFINITY });
  });

  it('say for how long they hold where the statement looks at the clock', async () => {
    const sql = 'SELECT n, ledger_now()';
    expect(() => readTogether({ sql })).toThrow('looks at the clock');

    const { connection, sent } = slowDatabase();
    const { connection: recording, record } = recordReads(connection);
    const startedAt = performance.now();
    const reading = readTogether<Asked, Asked>({ sql, goodForMs: (rows) => rows.length * 5_000 })(recording, {
      id: ONE,
    });
    await turn();
    sent[0]?.answer();
    await reading;

    expect(record.unknown).toBeNull();
    expect(record.goodUntil).toBeGreaterThanOrEqual(startedAt + 5_000);
    expect(record.goodUntil).toBeLessThanOrEqual(performance.now() + 5_000);
  });
});
