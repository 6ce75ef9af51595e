import type { Connection } from '../../database/connect.ts';
import type { ListedType } from '../../registry/listings/listing-row.ts';

/** An idempotency key of an account. */
export interface RegistrationKey {
  accountId: string;
  idempotencyKey: string;
}

/** What a registration with a key came to. */
export interface KeptRegistration {
  /** SHA-256 of what was sent. */
  fingerprint: Buffer;
  listingId: string;
  listingType: ListedType;
  agentId: string;
  publicPath: string;
  isNew: boolean;
}

/** Any fixed number: it names our locks among the advisory locks of two numbers. */
const KEY_LOCK = 7_310_069;

/** Waits until no other transaction holds the key, of any server, and holds it until the end of this one. */
export async function lockRegistrationKey(
  connection: Connection,
  { accountId, idempotencyKey }: RegistrationKey,
): Promise<void> {
  // SQL: a row to lock is there only after the first registration.
  await connection.query('SELECT pg_advisory_xact_lock($1, hashtext($2))', [
    KEY_LOCK,
    `${accountId} ${idempotencyKey}`,
  ]);
}

/** The registration that has worked under a key; null where none has. */
export async function findKeptRegistration(
  connection: Connection,
  { accountId, idempotencyKey }: RegistrationKey,
): Promise<KeptRegistration | null> {
  const [kept] = await connection.query<KeptRegistration>(
    `SELECT fingerprint, listing_id AS "listingId", listing_type AS "listingType", agent_id AS "agentId",
       public_path AS "publicPath", is_new AS "isNew"
     FROM registration_key WHERE account_id = $1 AND idempotency_key = $2`,
    [accountId, idempotencyKey],
  );
  return kept ?? null;
}

/** Keeps what a registration came to, for the same request once more. */
export async function keepRegistration(
  connection: Connection,
  { accountId, idempotencyKey }: RegistrationKey,
  { fingerprint, listingId, listingType, agentId, publicPath, isNew }: KeptRegistration,
): Promise<void> {
  await connection.query(
    `INSERT INTO registration_key
       (account_id, idempotency_key, fingerprint, listing_id, listing_type, agent_id, public_path, is_new)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`,
    [accountId, idempotencyKey, fingerprint, listingId, listingType, agentId, publicPath, isNew],
  );
}
