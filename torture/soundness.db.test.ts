import { afterAll, beforeAll, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../server/testing/database.ts';
import { giveCredits, makeAccount, makeListing } from '../server/testing/factories.ts';
import { operationParts } from '../server/testing/operations/operation-parts.ts';
import { callInProcess } from './call-in-process.ts';
import { findFaults } from './soundness.ts';

let test: TestDatabase;

beforeAll(async () => {
  test = await createTestDatabase();
  const { accountId, key } = await makeAccount(test.database);
  await giveCredits(test.database, accountId, 1_000);
  const subject = (await makeListing(test.database)).repository;
  const parts = operationParts(test.database);
  for (const idempotencyKey of ['one', 'two'])
    await callInProcess(parts, { secret: key.secret, idempotencyKey, subject });
});
afterAll(() => test.close());

it('reports nothing for a valid ledger', async () => {
  expect(await findFaults(test.database)).toEqual([]);
});

it.each([
  ['a score of another type', "UPDATE score_evidence SET subject_type = 'creator'"],
  ['attempts with a gap', "UPDATE ended_run SET attempt = 3 WHERE idempotency_key = 'one'"],
  ['a sum that its entries do not explain', 'UPDATE credit_bucket SET used = used + 1'],
  ['a charge without its run', "DELETE FROM ended_run WHERE state = 'settled'"],
])('finds %s', async (_what, statement) => {
  const transaction = await test.database.sequelize.transaction();
  try {
    // Constraints are the first guard; this check must not depend on them.
    await test.database.sequelize.query("SET LOCAL session_replication_role = 'replica'", { transaction });
    await test.database.sequelize.query(statement, { transaction });
    const query = (sql: string, bind: unknown[]) =>
      test.database.sequelize.query(sql, { transaction, bind, type: 'SELECT' as never });

    const faults = await findFaults({ ...test.database, transaction, query: query as never });

    expect(faults).not.toEqual([]);
  } finally {
    await transaction.rollback();
  }
});
