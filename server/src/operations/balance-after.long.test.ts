import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { STATEMENT_TEXT } from '../../testing/database-proxy.ts';
import { makeAccount, type TestAccount } from '../../testing/factories.ts';
import { readCharges, wrongSteps } from '../../testing/ledger/check-steps.ts';
import { useOperations } from '../../testing/operations/operation-harness.ts';
import {
  createStandIn,
  createSyncStandIn,
  type StandInBackend,
  usableScore,
} from '../../testing/stand-ins/stand-in-backend.ts';
import type { Database } from '../platform/database/connect.ts';
import { DomainError } from '../platform/errors/domain-error.ts';
import type { OperationOutcome } from './run-operation.ts';

const world = useOperations();

type Settled = Extract<OperationOutcome, { kind: 'settled' }>;

/** Creates a database object with separate batchers, like another process. */
function anotherProcess(): Database {
  return { ...world.database, query: (sql, bind) => world.database.query(sql, bind) };
}

/** Races calls, distributed over the processes, and returns the charged ones; refusals are expected. */
async function race(
  account: TestAccount,
  calls: number,
  backend: StandInBackend,
  processes: readonly Database[] = [world.database],
): Promise<Settled[]> {
  const outcomes = await Promise.all(
    Array.from({ length: calls }, (_, place) => {
      const database = processes[place % processes.length] as Database;
      const operation = place % 4 === 0 ? 'agent_skill_lineage' : 'agent_score';
      return world.run(account, { operation }, { backend, database }).catch((error: unknown) => {
        if (error instanceof DomainError) return null;
        throw error;
      });
    }),
  );
  return outcomes.filter((outcome) => outcome?.kind === 'settled');
}

const usedBy = (source: string, settled: readonly Settled[]) =>
  settled
    .filter((each) => each.source === source)
    .map((each) => each.settled.balance.included_used)
    .toSorted((a, b) => a - b);

/** Compares the answer of each call with the ledger; returns the differences. */
async function wrongAnswers(settled: readonly Settled[]): Promise<string[]> {
  const answers = settled.map((each) => ({
    ledgerId: each.ledgerId,
    used: each.settled.balance.included_used,
  }));
  return wrongSteps(answers, await readCharges(world.database));
}

const UP_TO_25 = Array.from({ length: 25 }, (_, n) => n + 1);

describe.each([
  ['an asynchronous backend', createStandIn],
  ['a synchronous backend', createSyncStandIn],
] as const)('the balance of racing calls, with %s,', (_name, backendOf) => {
  it('is distinct for each call: 60 calls on 25 free ones report 1 to 25', async () => {
    const account = await makeAccount(world.database);

    const settled = await race(account, 60, backendOf());

    expect(usedBy('free', settled)).toEqual(UP_TO_25);
    expect(settled).toHaveLength(25);
    expect(await wrongAnswers(settled)).toEqual([]);
  });

  it('continues in the next bucket, each step being the price of its call', async () => {
    const account = await makeAccount(world.database, { plan: 'builder' });

    const settled = await race(account, 60, backendOf());

    expect(settled).toHaveLength(60);
    expect(usedBy('free', settled)).toEqual(UP_TO_25);
    expect(new Set(usedBy('included', settled)).size).toBe(35);
    expect(await wrongAnswers(settled)).toEqual([]);
  });

  it('is distinct for each call if two processes charge one bucket', async () => {
    const account = await makeAccount(world.database, { plan: 'builder' });

    const settled = await race(account, 80, backendOf(), [anotherProcess(), anotherProcess()]);

    expect(settled).toHaveLength(80);
    expect(usedBy('free', settled)).toEqual(UP_TO_25);
    expect(await wrongAnswers(settled)).toEqual([]);
  });
});

it('failed calls do not change the balances that others report', async () => {
  const account = await makeAccount(world.database);
  let asked = 0;
  const backend = createStandIn(async (request) => {
    asked += 1;
    if (asked % 3 === 0) throw new Error('no score');
    return usableScore(request);
  });

  const settled = await race(account, 30, backend, [anotherProcess(), anotherProcess()]);

  expect(settled.length).toBeGreaterThan(10);
  expect(settled.length).toBeLessThan(25);
  expect(usedBy('free', settled)).toEqual(UP_TO_25.slice(0, settled.length));
  expect(await wrongAnswers(settled)).toEqual([]);
});

it('a replay reports the current balance', async () => {
  const account = await makeAccount(world.database);
  const idempotencyKey = randomUUID();
  const first = await world.run(account, { idempotencyKey });
  await race(account, 5, createStandIn());

  const again = await world.run(account, { idempotencyKey });

  expect(first).toMatchObject({ kind: 'settled', settled: { balance: { included_used: 1 } } });
  expect(again).toMatchObject({ kind: 'replay', run: { balance: { included_used: 6 } } });
});

describe('a call that reads its outcome while others are charged to its bucket', () => {
  it.each([
    ['settle', createStandIn],
    ['charge', createSyncStandIn],
  ] as const)(
    'reports the balance right after its own charge (lost: the answer to %s)',
    async (name, backendOf) => {
      const account = await makeAccount(world.database);
      const backend = backendOf();
      let isLost = false;
      const query: Database['query'] = async (sql, bind) => {
        const rows = await world.database.query(sql, bind);
        if (isLost || !sql.includes(STATEMENT_TEXT[name])) return rows as never;
        isLost = true;
        await race(account, 3, createStandIn());
        throw Object.assign(new Error('the line broke'), { code: 'ECONNRESET' });
      };

      const outcome = await world.run(account, {}, { backend, database: { ...world.database, query } });

      expect(isLost).toBe(true);
      expect(outcome).toMatchObject({ kind: 'settled', settled: { balance: { included_used: 1 } } });
      expect(await world.totals(account)).toMatchObject({ used: 4 });
    },
  );
});
