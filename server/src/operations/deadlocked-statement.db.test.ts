import { afterEach, expect, it } from 'vitest';
import { giveCredits, makeAccount } from '../../testing/factories.ts';
import { refusal, useOperations } from '../../testing/operations/operation-harness.ts';
import { answer, refuse } from '../../testing/stand-ins/stand-in-backend.ts';

const world = useOperations();

/** Makes the next statement of this kind on open runs fail as a deadlock victim, once. */
async function deadlockOnce(event: 'INSERT' | 'DELETE'): Promise<void> {
  // A sequence keeps its count when the statement is rolled back.
  await world.database.query('CREATE SEQUENCE victims');
  await world.database.query(`CREATE FUNCTION be_victim() RETURNS trigger LANGUAGE plpgsql AS '
    BEGIN
      IF nextval(''victims'') = 1 THEN RAISE EXCEPTION ''deadlock detected'' USING ERRCODE = ''40P01''; END IF;
      RETURN coalesce(NEW, OLD);
    END'`);
  await world.database.query(
    `CREATE TRIGGER be_victim BEFORE ${event} ON open_run FOR EACH ROW EXECUTE FUNCTION be_victim()`,
  );
}

async function timesTried(): Promise<number> {
  const [row] = await world.database.query<{ tries: number }>('SELECT last_value::int AS tries FROM victims');
  return row?.tries ?? 0;
}

afterEach(async () => {
  await world.database.query('DROP FUNCTION be_victim() CASCADE');
  await world.database.query('DROP SEQUENCE victims');
});

it.each(['INSERT', 'DELETE'] as const)(
  'recovers from a deadlock on the %s of an open run: one attempt, one backend call, one charge',
  async (event) => {
    const account = await makeAccount(world.database);
    await giveCredits(world.database, account.accountId, 100);
    world.backend.behave(answer);
    await deadlockOnce(event);

    const outcome = await world.run(account);

    expect(outcome.kind).toBe('settled');
    expect(await timesTried()).toBe(2);
    expect(world.backend.calls).toHaveLength(1);
    expect(await world.totals(account)).toEqual({ runs: 1, used: 1, held: 0 });
  },
);

it('recovers from a deadlock while reversing a failed call: no hold remains', async () => {
  const account = await makeAccount(world.database);
  world.backend.behave(refuse);
  await deadlockOnce('DELETE');

  expect(await refusal(world.run(account))).toBe('scoring_failed');

  expect(await timesTried()).toBe(2);
  expect(await world.totals(account)).toEqual({ runs: 1, used: 0, held: 0 });
});
