import { createHash } from 'node:crypto';
import type { Connection, Database } from '../platform/database/connect.ts';
import { retryConflicts } from '../platform/database/retried-transaction.ts';
import { inTransaction } from '../platform/database/transaction.ts';
import { lockSharedAndKeys, lockWhole, tryKeys } from './registry-locks.queries.ts';

/** Names a part of the registry that one transaction at a time may change. */
export type RegistryKey = string;

/** Maximum keys of a transaction before it locks the whole registry: each key takes room in PostgreSQL's shared memory. */
const MAX_KEYS = 64;
/** Maximum restarts of a transaction before it locks the whole registry, so that it certainly ends. */
const MAX_RESTARTS = 5;

/** The locks of one transaction, and what earlier attempts of it have shown to be needed. */
interface RegistryLocks {
  needed: Set<number>;
  isWhole: boolean;
  /** Null until the first lock. */
  held: Set<number> | null;
}

/** The locks of open transactions, by Sequelize's own object of each. */
const locks = new WeakMap<object, RegistryLocks>();

/** Thrown by a transaction that needs a key that another one holds: it starts again and waits for that key first. */
class KeysNeeded extends Error {
  readonly needed: ReadonlySet<number>;

  constructor(needed: ReadonlySet<number>) {
    super('a part of the registry is locked by another transaction');
    this.needed = needed;
  }
}

/**
 * Runs a transaction that changes a part of the registry, beside those that change other parts. `work` calls `lockKeys`
 * before it locks any subject, and may lock more keys later. It never waits for these: where one is taken, the transaction
 * is rolled back and runs again with all keys from its beginning. Waiting transactions hold no key above the one that they
 * wait for, so that keys cause no deadlock; conflicts of rows are retried.
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

/** Locks the whole registry until the end of the transaction: no other transaction changes any part of it meanwhile. */
export async function lockRegistry(connection: Connection): Promise<void> {
  await lockWhole(connection);
  if (connection.transaction) {
    locks.set(connection.transaction, { needed: new Set(), isWhole: true, held: new Set() });
  }
}

/**
 * Waits for these keys, and for those that earlier attempts have needed, and holds them until the end of the transaction. The
 * first lock on the registry in each transaction. Outside of `inRegistryTransaction` it locks the whole registry, since such
 * a transaction cannot run again.
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
 * Locks more keys without waiting, and returns true where one of them is new. Then read again what led to the keys: it may
 * have changed before they were locked. Where another transaction holds one, this transaction starts again.
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

/** Reads, locks the keys of what was read, and reads again until they are all locked: the answer then stays true. */
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

/** Makes a key of each part of the registry. Two parts with one number only wait for each other needlessly. */
function numberOf(key: RegistryKey): number {
  return createHash('md5').update(key).digest().readInt32BE(0);
}

function ascending(a: number, b: number): number {
  return a - b;
}
