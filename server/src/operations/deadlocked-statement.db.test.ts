import { afterEach, expect, it } from 'vitest';
import { giveCredits, makeAccount } from '../../testing/factories.ts';
import { refusal, useOperations } from '../../testing/operations/operation-harness.ts';
import { answer, refuse } from '../../testing/stand-ins/stand-in-backend.ts';

const world = useOperations();

/** The next statement that does this to an open run is told that it was the victim of a deadlock; the one after it is not. */
async function deadlockOnce(event: 'INSERT' | 'DELETE'): Promise<void> {
  // A sequence keeps its count where the statement is undone.
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
  'a deadlock on the %s of an open run is got over: one attempt, one call of the backend, one charge',
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

it('a deadlock on the way back of a failed call is got over: nothing stays held', async () => {
  const account = await makeAccount(world.database);
  world.backend.behave(refuse);
  await deadlockOnce('DELETE');

  expect(await refusal(world.run(account))).toBe('scoring_failed');

  expect(await timesTried()).toBe(2);
  expect(await world.totals(account)).toEqual({ runs: 1, used: 0, held: 0 });
});
