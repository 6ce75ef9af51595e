import { createHash } from 'node:crypto';
import type { Connection, Database } from '../platform/database/connect.ts';
import { inTransaction, retryConflicts } from '../platform/database/transaction.ts';
import { lockSharedAndKeys, lockWhole, tryKeys } from './registry-locks.queries.ts';

/**
 * Name of the lock on a part of the registry (names, creators and lineage). Only one transaction at a time may change
 * this part.
 */
export type RegistryKey = string;

/**
 * Maximum keys that a transaction locks. If it needs more, it locks the whole registry, because each lock takes shared
 * memory of PostgreSQL.
 */
const MAX_KEYS = 64;
/**
 * Maximum restarts of a transaction that needs more keys. The last restart locks the whole registry, so that the
 * transaction finishes.
 */
const MAX_RESTARTS = 5;

/** Locks of one transaction: those that it holds, and those that its earlier attempts needed. */
interface RegistryLocks {
  needed: Set<number>;
  isWhole: boolean;
  /** Locked keys as numbers; null before the first lock. */
  held: Set<number> | null;
}

/** Locks of open transactions, by Sequelize's transaction object. */
const locks = new WeakMap<object, RegistryLocks>();

/**
 * Thrown if another transaction holds a needed key, or if too many keys are needed. The transaction then restarts: it
 * first waits for all needed keys, or for the whole registry if these are too many.
 */
class KeysNeeded extends Error {
  readonly needed: ReadonlySet<number>;

  constructor(needed: ReadonlySet<number>) {
    super('a part of the registry is locked by another transaction');
    this.needed = needed;
  }
}

/**
 * Runs a transaction that changes a part of the registry, concurrently with transactions that change other parts.
 * `work` must call `lockKeys` before it locks any subject, and may lock more keys later.
 * - Locking more keys never waits. If another transaction holds one of them, this transaction is rolled back and runs
 *   again, with all keys that it needed locked at the start.
 * - Keys cannot deadlock, because all transactions wait for them in ascending order.
 * - Row conflicts are retried.
 * Without these locks, `registry-locks.db.test.ts` and `conflicting-changes.long.test.ts` fail.
 */
export function inRegistryTransaction<Result>(
  database: Database,
  work: (connection: Connection) => Promise<Result>,
): Promise<Result> {
  return retryConflicts(() => withRestarts(database, work));
}

async function withRestarts<Result>(
  database: Database,
  work: (connection: Connection) => Promise<Result>,
): Promise<Result> {
  let needed = new Set<number>();
  for (let restarts = 0; ; restarts += 1) {
    const isWhole = restarts === MAX_RESTARTS || needed.size > MAX_KEYS;
    const own: RegistryLocks = { needed, isWhole, held: null };
    try {
      return await inTransaction(database, (connection) => {
        if (connection.transaction) locks.set(connection.transaction, own);
        return work(connection);
      });
    } catch (error) {
      if (!(error instanceof KeysNeeded)) throw error;
      needed = new Set(error.needed);
    }
  }
}

/** Locks the whole registry until the transaction ends, so that no other transaction changes any part of it. */
export async function lockRegistry(connection: Connection): Promise<void> {
  await lockWhole(connection);
  if (connection.transaction) {
    locks.set(connection.transaction, { needed: new Set(), isWhole: true, held: new Set() });
  }
}

/**
 * Locks these keys, and those that earlier attempts needed, until the transaction ends. Call it before any other lock
 * on the registry; later calls in the transaction work like `lockMoreKeys`. Locks the whole registry if there are more
 * than `MAX_KEYS` keys, or outside of `inRegistryTransaction`, because such a transaction cannot be restarted.
 */
export async function lockKeys(connection: Connection, keys: readonly RegistryKey[]): Promise<void> {
  const own = connection.transaction ? locks.get(connection.transaction) : undefined;
  if (own?.held) return void (await lockMoreKeys(connection, keys));
  if (own === undefined) return lockRegistry(connection);
  const all = new Set([...own.needed, ...keys.map(numberOf)]);
  if (own.isWhole || all.size > MAX_KEYS) {
    own.isWhole = true;
    await lockWhole(connection);
  } else {
    await lockSharedAndKeys(connection, [...all].sort(ascending));
  }
  own.held = all;
}

/**
 * Locks more keys without waiting. Returns true if one of them was not locked before. The caller must then repeat the
 * read that yielded the keys, because the data may have changed before the lock. Does nothing and returns false if the
 * transaction has locked the whole registry, or has called neither `inRegistryTransaction` nor `lockRegistry`. Throws
 * KeysNeeded, which restarts the transaction, if another transaction holds one of the keys or the transaction needs
 * more than `MAX_KEYS`.
 */
export async function lockMoreKeys(connection: Connection, keys: readonly RegistryKey[]): Promise<boolean> {
  const own = connection.transaction ? locks.get(connection.transaction) : undefined;
  if (own === undefined || own.isWhole) return false;
  if (own.held === null) throw new Error('lockKeys comes before any other lock on the registry');
  const { held } = own;
  const missing = [...new Set(keys.map(numberOf))].filter((key) => !held.has(key)).sort(ascending);
  if (missing.length === 0) return false;
  const all = new Set([...held, ...missing]);
  if (all.size > MAX_KEYS || (await tryKeys(connection, missing)) < missing.length) throw new KeysNeeded(all);
  own.held = all;
  return true;
}

/**
 * Reads, then locks the keys of the result. Repeats both until all keys of the result are locked, so that the result
 * cannot change any more.
 */
export async function readLocked<Result>(
  connection: Connection,
  read: () => Promise<Result>,
  keysOf: (result: Result) => readonly RegistryKey[],
): Promise<Result> {
  for (;;) {
    const result = await read();
    if (!(await lockMoreKeys(connection, keysOf(result)))) return result;
  }
}

/**
 * Hashes a key to the number of its advisory lock. A collision is harmless: transactions with the two keys then wait
 * for each other, although they need not.
 */
function numberOf(key: RegistryKey): number {
  return createHash('md5').update(key).digest().readInt32BE(0);
}

function ascending(a: number, b: number): number {
  return a - b;
}
