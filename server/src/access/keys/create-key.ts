import { v7 as uuidv7 } from 'uuid';
import type { Connection, Database } from '../../platform/database/connect.ts';
import { inTransaction } from '../../platform/database/transaction.ts';
import { DomainError } from '../../platform/errors/domain-error.ts';
import type { Scope } from '../../platform/http/credentials/principal.ts';
import { hashSecret, newSecret } from '../../platform/http/credentials/secret.ts';
import { requireRecentSignIn } from '../callers/session.ts';
import { type LockedPlan, lockSessionAccount } from '../plans/lock-plan.ts';
import { findPlan, type PlanBook, planOf } from '../plans/plans.ts';
import { countWorkingKeys, findKey, insertKey, lockOldKey, type OldKey, saveRevoked } from './key.queries.ts';
import {
  type KeyLimits,
  type KeyRecord,
  requireFutureExpiry,
  requireName,
  requireScopes,
} from './key-fields.ts';

export interface NewKey {
  /** Console session that creates the key; its account owns it. */
  sessionId: string;
  name: string;
  scopes: readonly string[];
  /** ISO 8601; null for no expiry. */
  expiresAt: string | null;
  /** Monthly limits. By default, none. */
  limits?: KeyLimits;
  /** Id of the key whose monthly spending the new key shares. By default, none. */
  spendsAs?: string;
  /** UUID chosen by the caller, so that a second create with the same id fails. By default, a new UUID. */
  id?: string;
}

const NO_LIMITS: KeyLimits = { calls: null, credits: null };

export interface CreatedKey {
  id: string;
  /** Shown to its owner once; only its hash is stored. */
  secret: string;
  lastFour: string;
  /** The key as lists show it. */
  record: KeyRecord;
}

/**
 * Creates an access key from a console session. The account's row is locked while its active keys are counted, so that
 * concurrent creates never exceed the plan's limit. Throws key_limit_reached; invalid_request; unauthorized; key_paused
 * if the account is suspended; sign_in_again if the sign-in is not recent.
 */
export async function createKey(database: Database, planBook: PlanBook, input: NewKey): Promise<CreatedKey> {
  const scopes = requireScopes(input.scopes);
  requireName(input.name);
  return inTransaction(database, async (connection) => {
    const owner = await lockSessionAccount(connection, input.sessionId);
    await requireRecentSignIn(connection, input.sessionId);
    const expiresAt = await requireFutureExpiry(connection, input.expiresAt);
    await requireFreeKeySlot(connection, planBook, owner);
    return insertNewKey(connection, owner.accountId, { ...input, scopes, expiresAt });
  });
}

/** Creates a key for a form that may be sent more than once: returns null if the key with this id already exists. */
export async function createKeyOnce(
  database: Database,
  planBook: PlanBook,
  input: NewKey & { accountId: string; id: string },
): Promise<CreatedKey | null> {
  try {
    return await createKey(database, planBook, input);
  } catch (error) {
    if (await findKey(database, input.accountId, input.id)) return null;
    throw error;
  }
}

/**
 * Creates a key and stores it under its secret's hash. The caller must have locked the account and checked the plan's
 * limit of active keys.
 */
async function insertNewKey(
  connection: Connection,
  accountId: string,
  input: NewKey & { scopes: readonly Scope[] },
): Promise<CreatedKey> {
  const { sessionId, name, scopes, expiresAt, limits = NO_LIMITS, spendsAs = null } = input;
  const key = { id: input.id ?? uuidv7(), secret: newSecret() };
  const lastFour = key.secret.slice(-4);
  const keyHash = hashSecret(key.secret);
  await insertKey(connection, {
    id: key.id,
    accountId,
    sessionId,
    keyHash,
    lastFour,
    name,
    scopes,
    expiresAt,
    monthlyCalls: limits.calls,
    monthlyCredits: limits.credits,
    spendsAs,
  });
  // Read the key before the commit: once the key is committed, no failure may prevent its owner from getting the
  // secret.
  const record = await findKey(connection, accountId, key.id);
  if (!record) throw new Error('the key that was just stored cannot be read');
  return { ...key, lastFour, record };
}

/** Active keys of an account and the limit of its plan. */
export interface KeySlots {
  plan: string;
  /** Number of active keys. */
  taken: number;
  /** Maximum active keys. After a change to a lower plan, more keys may be active. */
  limit: number;
}

/** Returns the number of an account's active keys and the limit of its current plan. */
export async function keySlots(
  connection: Connection,
  planBook: PlanBook,
  { accountId, plan }: { accountId: string; plan: string },
): Promise<KeySlots> {
  const taken = await countWorkingKeys(connection, accountId);
  // A plan missing from the operator's list allows no keys, but the existing ones are still shown.
  return { plan, taken, limit: findPlan(planBook, plan)?.activeKeys ?? 0 };
}

/**
 * Throws key_limit_reached if the account already has as many active keys as its plan allows. Revoked, paused and
 * expired keys do not count. The caller must have locked the account.
 */
export async function requireFreeKeySlot(
  connection: Connection,
  planBook: PlanBook,
  { accountId, plan }: LockedPlan,
): Promise<void> {
  const limit = planOf(planBook, plan).activeKeys;
  if ((await countWorkingKeys(connection, accountId)) < limit) return;
  const many = limit === 1 ? 'one active key' : `${limit} active keys`;
  throw new DomainError('key_limit_reached', `The ${plan} plan has ${many}. Revoke a key first.`);
}

export interface Replacement {
  /** Console session that replaces the key. */
  sessionId: string;
  replacesKeyId: string;
  /** Null keeps the name of the old key. */
  name: string | null;
  /** ISO 8601. Null keeps the expiry of the old key. */
  expiresAt: string | null;
}

/**
 * Revokes a key and then creates another with the same scopes and limits, in one transaction: if the new key cannot be
 * created, the old one stays active. In a month, both keys together spend no more than the limits. The new key expires
 * no later than the old one. A paused key does not count towards the number of active keys that the plan allows, so
 * replacing it needs a free slot. Throws the errors of `createKey`.
 */
export function replaceKey(database: Database, planBook: PlanBook, input: Replacement): Promise<CreatedKey> {
  const { sessionId } = input;
  if (input.name !== null) requireName(input.name);
  return inTransaction(database, async (connection) => {
    const owner = await lockSessionAccount(connection, sessionId);
    await requireRecentSignIn(connection, sessionId);
    const expiresAt = await requireFutureExpiry(connection, input.expiresAt);
    const old = await requireReplaceable(connection, owner.accountId, { ...input, expiresAt });
    await saveRevoked(connection, owner.accountId, old.id);
    await requireFreeKeySlot(connection, planBook, owner);
    return insertNewKey(connection, owner.accountId, {
      sessionId,
      name: input.name ?? old.name,
      scopes: old.scopes,
      expiresAt: expiresAt ?? old.expires_at,
      limits: { calls: old.monthly_calls, credits: old.monthly_credits },
      spendsAs: old.spends_as,
    });
  });
}

async function requireReplaceable(
  connection: Connection,
  accountId: string,
  replacement: Replacement,
): Promise<OldKey> {
  const old = await lockOldKey(connection, accountId, replacement);
  if (!old?.replaceable) {
    throw new DomainError(
      'invalid_request',
      'The key to be replaced must be an active or paused key of the same account. Create a key without replacing one.',
    );
  }
  if (old.too_late) {
    throw new DomainError(
      'invalid_request',
      `The new key must expire no later than the key it replaces (${old.expires_at}). Choose an earlier expiry, or create a key without replacing one.`,
    );
  }
  return old;
}
