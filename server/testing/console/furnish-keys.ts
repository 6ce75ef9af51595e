import { type CreatedKey, createKey } from '../../src/access/keys/create-key.ts';
import { pauseKey, revokeKey } from '../../src/access/keys/own-keys.ts';
import { withOperatorSession } from '../../src/accounts/sign-in/sign-in-link.ts';
import type { Database } from '../../src/platform/database/connect.ts';
import { KEY_SCOPES } from '../../src/platform/http/credentials/principal.ts';
import { PLAN_BOOK } from '../factories.ts';

/** Keys that calls are made with. */
export interface FurnishedKeys {
  ci: CreatedKey;
  laptop: CreatedKey;
}

/** Creates keys in every state, with realistic names. */
export async function furnishKeys(database: Database, accountId: string): Promise<FurnishedKeys> {
  const make = (name: string, lastFour: string, expiresAt: string | null = null) =>
    makeKnownKey(database, accountId, name, lastFour, expiresAt);
  const old = await make('first try', 'Pq3s');
  await revokeKey(database, { id: accountId, handle: null }, old.id);
  await make('demo in October', 'w0Rt', '2026-11-01T00:00:00Z');
  const paused = await make(`nightly ${'unbroken'.repeat(9)}`, 'Zz91');
  await pauseKey(database, accountId, paused.id);
  await make('مفتاح <b>"&\'', 'h4Lk');
  const ci = await make('ci', 'x9Qd');
  const laptop = await make('laptop', '7Tm2', '2027-01-01T00:00:00Z');
  await database.query("UPDATE access_key SET last_used_at = '2026-11-20T08:57:00Z' WHERE id = $1", [ci.id]);
  return { ci, laptop };
}

/** Creates a key with all scopes, and with fixed last four characters, so that pictures never change. */
export async function makeKnownKey(
  database: Database,
  accountId: string,
  name: string,
  lastFour: string,
  expiresAt: string | null = null,
): Promise<CreatedKey> {
  const key = await withOperatorSession(database, accountId, (sessionId) =>
    createKey(database, PLAN_BOOK, { sessionId, name, scopes: KEY_SCOPES, expiresAt }),
  );
  await database.query('UPDATE access_key SET last_four = $2 WHERE id = $1', [key.id, lastFour]);
  return key;
}
