import type { Connection } from '../platform/database/connect.ts';

/** Any fixed number: it names the lock of the whole registry among the advisory locks of the database. */
const WHOLE_LOCK = 7_310_043;
/** First half of the advisory locks of the registry's keys. */
const KEY_LOCK = 7_310_045;

/** Waits until no other transaction has locked any part of the registry, and keeps them from it until this one ends. */
export async function lockWhole(connection: Connection): Promise<void> {
  await connection.query('SELECT pg_advisory_xact_lock($1)', [WHOLE_LOCK]);
}

// One statement, which locks in the order of the array: the first element stands for the shared lock.
const LOCK_KEYS = `SELECT CASE WHEN place = 1 THEN pg_advisory_xact_lock_shared($1)::text
  ELSE pg_advisory_xact_lock($2, key)::text END FROM unnest($3::int[]) WITH ORDINALITY AS k(key, place)`;

/** Shares the lock of the whole registry, and waits for these keys in their order. */
export async function lockSharedAndKeys(connection: Connection, keys: readonly number[]): Promise<void> {
  await connection.query(LOCK_KEYS, [WHOLE_LOCK, KEY_LOCK, [0, ...keys]]);
}

/** Locks those of the keys that are free, without waiting; returns how many. */
export async function tryKeys(connection: Connection, keys: readonly number[]): Promise<number> {
  const [row] = await connection.query<{ locked: number }>(
    'SELECT count(*) FILTER (WHERE pg_try_advisory_xact_lock($1, key))::int AS locked FROM unnest($2::int[]) AS k(key)',
    [KEY_LOCK, keys],
  );
  return row?.locked ?? 0;
}
