import { afterAll, beforeAll, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../server/testing/database.ts';
import { giveCredits, makeAccount, makeListing } from '../server/testing/factories.ts';
import { operationParts } from '../server/testing/operations/operation-parts.ts';
import { callInProcess } from './call-in-process.ts';
import { checkHistory } from './check-history.ts';
import type { CallRecord } from './history.ts';

let test: TestDatabase;
/** Three consecutive calls, as recorded by their client. */
let calls: CallRecord[];
let asked: Map<string, number>;

beforeAll(async () => {
  test = await createTestDatabase();
  const { accountId, key } = await makeAccount(test.database);
  await giveCredits(test.database, accountId, 1_000);
  const subject = (await makeListing(test.database)).repository;
  calls = [];
  asked = new Map();
  for (const idempotencyKey of ['one', 'two', 'three']) {
    const invokedAt = performance.now();
    const outcome = await callInProcess(operationParts(test.database), {
      secret: key.secret,
      idempotencyKey,
      subject,
    });
    if (outcome.kind !== 'settled') throw new Error(outcome.kind);
    const { ledgerId, source, settled } = outcome;
    asked.set(ledgerId, 1);
    const body = {
      ledger_id: ledgerId,
      settled: true,
      charge_source: source,
      balance_after: settled.balance,
      result: { score_evidence: { score_version: settled.scoreVersion } },
    };
    const call = { accountId, idempotencyKey, subject, invokedAt, outcome: 'ok', status: 200, body } as const;
    calls.push({ ...call, endedAt: performance.now() });
  }
});
afterAll(() => test.close());

function changed(place: number, changes: Partial<CallRecord>): CallRecord[] {
  return calls.map((call, at) => (at === place ? { ...call, ...changes } : call));
}

function bodyOf(place: number): CallRecord['body'] {
  return (calls[place] as CallRecord).body;
}

async function wrongOf(history: readonly CallRecord[], upstream = asked): Promise<string[]> {
  return (await checkHistory(test.database, history, upstream)).wrong;
}

it('reports nothing for a correct history', async () => {
  expect(await checkHistory(test.database, calls, asked)).toEqual({ lost: 0, doubled: 0, wrong: [] });
});

it('reports a receipt that is missing or stored for another call', async () => {
  const lost = changed(1, { body: { ...bodyOf(1), ledger_id: '00000000-0000-7000-8000-000000000000' } });
  const foreign = changed(1, { body: { ...bodyOf(1), ledger_id: String(bodyOf(0).ledger_id) } });

  expect(await checkHistory(test.database, lost, asked)).toMatchObject({ lost: 1 });
  expect(await checkHistory(test.database, foreign, asked)).toMatchObject({ lost: 1 });
});

it('reports a key with two first receipts, and a charge without an answer', async () => {
  const twice = [...calls, { ...(calls[2] as CallRecord) }];
  const untold = changed(1, { outcome: 'fail', status: 409, body: { code: 'idempotency_in_progress' } });
  const unknown = changed(1, { outcome: 'info', status: 0, body: {} });

  expect(await checkHistory(test.database, twice, asked)).toMatchObject({ doubled: 1 });
  expect((await wrongOf(untold)).join()).toContain('nobody was told');
  expect(await wrongOf(unknown)).toEqual([]);
  expect((await wrongOf(calls.slice(0, 2))).join()).toContain('charged without a call');
});

it('reports a charge after a 503 that denied one; other 503s are unknown outcomes', async () => {
  const refusedWith = (error: string) => changed(1, { outcome: 'info', status: 503, body: { error } });
  const promised =
    'The database is too busy just now. Nothing was charged; retry with the same idempotency_key.';
  const replay = { ...(calls[1] as CallRecord), body: { ...bodyOf(1), idempotent: true, result: null } };
  const other: CallRecord = { ...(calls[1] as CallRecord), outcome: 'info', status: 0, body: {} };

  expect((await wrongOf(refusedWith(promised))).join()).toContain('nobody was told');
  expect((await wrongOf([...refusedWith(promised), replay])).join()).toContain('nobody was told');
  expect(await wrongOf([...refusedWith(promised), other])).toEqual([]);
  expect(await wrongOf(refusedWith('The outcome could not be confirmed just now.'))).toEqual([]);
});

it('reports a receipt with the balance of another charge', async () => {
  const { balance_after: balance } = bodyOf(2);
  const first = calls[0] as CallRecord;
  const together = calls.map((call) => ({ ...call, invokedAt: first.invokedAt, endedAt: first.endedAt }));
  const told = (place: number) =>
    changed(place, { body: { ...bodyOf(place), balance_after: balance as never } });
  const sameForAll = together.map((call, place) => ({ ...call, body: told(place)[place]?.body ?? {} }));

  expect(await wrongOf(together)).toEqual([]);
  expect(await wrongOf(sameForAll)).toHaveLength(2);
  expect((await wrongOf(sameForAll)).join()).toContain('was told 3 used, its bucket had 1');
});

it('reports a 502 whose run was charged', async () => {
  const failed = changed(1, {
    outcome: 'fail',
    status: 502,
    body: { ledger_id: String(bodyOf(1).ledger_id) },
  });

  expect((await wrongOf(failed)).join()).toContain('a 502 named');
});

it('reports calls out of real-time order', async () => {
  const [first, second] = [bodyOf(0), bodyOf(1)];
  const swapped = changed(1, { body: { ...second, balance_after: first.balance_after as never } });
  const older = changed(1, { body: { ...second, result: first.result ?? null } });

  expect((await wrongOf(swapped)).join()).toContain('real-time order');
  expect((await wrongOf(older)).join()).toContain('real-time order');
});

it('reports backend calls without a run, or too many for one run', async () => {
  expect((await wrongOf(calls, new Map([...asked, ['nobody', 1]]))).join()).toContain('no run');
  expect((await wrongOf(calls, new Map([[String(bodyOf(0).ledger_id), 5]]))).join()).toContain('5 times');
});
