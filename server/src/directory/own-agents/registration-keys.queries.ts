import type { ListedType } from '../../catalog/listings/listing-row.ts';
import type { Connection } from '../../platform/database/connect.ts';

/** An idempotency key with which an account has registered a listing. */
export interface RegistrationKey {
  accountId: string;
  idempotencyKey: string;
}

/** Stored result of a registration with a key. */
export interface StoredRegistration {
  /** SHA-256 of the request. */
  fingerprint: Buffer;
  listingId: string;
  listingType: ListedType;
  agentId: string;
  publicPath: string;
  isNew: boolean;
}

/** First half of the advisory lock's key; the second half is a hash of the account and the idempotency key. */
const KEY_LOCK = 7_310_069;

/** Locks the key across all servers until the transaction ends. */
export async function lockRegistrationKey(
  connection: Connection,
  { accountId, idempotencyKey }: RegistrationKey,
): Promise<void> {
  // Raw SQL: an advisory lock, because there is no row to lock before the first registration.
  await connection.query('SELECT pg_advisory_xact_lock($1, hashtext($2))', [
    KEY_LOCK,
    `${accountId} ${idempotencyKey}`,
  ]);
}

/** Returns the stored result for a key; null if there is none. */
export async function findStoredRegistration(
  connection: Connection,
  { accountId, idempotencyKey }: RegistrationKey,
): Promise<StoredRegistration | null> {
  const [kept] = await connection.query<StoredRegistration>(
    `SELECT fingerprint, listing_id AS "listingId", listing_type AS "listingType", agent_id AS "agentId",
       public_path AS "publicPath", is_new AS "isNew"
     FROM registration_key WHERE account_id = $1 AND idempotency_key = $2`,
    [accountId, idempotencyKey],
  );
  return kept ?? null;
}

/** Stores the result of a registration for repeated requests. */
export async function storeRegistration(
  connection: Connection,
  { accountId, idempotencyKey }: RegistrationKey,
  { fingerprint, listingId, listingType, agentId, publicPath, isNew }: StoredRegistration,
): Promise<void> {
  await connection.query(
    `INSERT INTO registration_key
       (account_id, idempotency_key, fingerprint, listing_id, listing_type, agent_id, public_path, is_new)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`,
    [accountId, idempotencyKey, fingerprint, listingId, listingType, agentId, publicPath, isNew],
  );
}

/** Returns the subject id of the listing with an `AGT-` id; null if there is none. */
export async function findParent(
  { models, transaction }: Connection,
  agentId: string,
): Promise<string | null> {
  const where = { agentId: agentId.toUpperCase() };
  const parent = await models.Listing.findOne({ attributes: ['subjectId'], where, transaction });
  return parent?.subjectId ?? null;
}
