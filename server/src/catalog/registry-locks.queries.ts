import type { Connection } from '../platform/database/connect.ts';

/**
 * Id of the advisory lock of the whole registry (names, creators and lineage); arbitrary, but unique in the database.
 */
const WHOLE_LOCK = 7_310_043;
/** First of the two numbers that identify the advisory lock of a key; the second is the hash of the key. */
const KEY_LOCK = 7_310_045;

/**
 * Locks the whole registry. Waits until no other transaction holds any lock of the registry, and then blocks the
 * transactions that want one, until this transaction ends.
 */
export async function lockWhole(connection: Connection): Promise<void> {
  await connection.query('SELECT pg_advisory_xact_lock($1)', [WHOLE_LOCK]);
}

// Takes all locks in one statement, in the order of the array. The first element is a placeholder for the shared lock
// of the whole registry.
const LOCK_KEYS = `SELECT CASE WHEN place = 1 THEN pg_advisory_xact_lock_shared($1)::text
  ELSE pg_advisory_xact_lock($2, key)::text END FROM unnest($3::int[]) WITH ORDINALITY AS k(key, place)`;

/** Takes the lock of the whole registry in shared mode, and then the locks of these keys in their order. */
export async function lockSharedAndKeys(connection: Connection, keys: readonly number[]): Promise<void> {
  await connection.query(LOCK_KEYS, [WHOLE_LOCK, KEY_LOCK, [0, ...keys]]);
}

/** Locks those of the keys that no other transaction holds, without waiting. Returns how many were locked. */
export async function tryKeys(connection: Connection, keys: readonly number[]): Promise<number> {
  const [row] = await connection.query<{ locked: number }>(
    'SELECT count(*) FILTER (WHERE pg_try_advisory_xact_lock($1, key))::int AS locked FROM unnest($2::int[]) AS k(key)',
    [KEY_LOCK, keys],
  );
  return row?.locked ?? 0;
}
