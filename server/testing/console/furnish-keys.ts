import { KEY_SCOPES } from '../../src/callers/principal.ts';
import type { Database } from '../../src/database/connect.ts';
import { type CreatedKey, createKey } from '../../src/keys/create-key.ts';
import { pauseKey } from '../../src/keys/pause-key.ts';
import { revokeKey } from '../../src/keys/revoke-key.ts';
import { withOperatorSession } from '../../src/sign-in/operator-session.ts';
import { PLAN_BOOK } from '../factories.ts';

/** The two keys that calls are made with. */
export interface FurnishedKeys {
  ci: CreatedKey;
  laptop: CreatedKey;
}

/** Keys in every state, with names as people give them. */
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

/** A key that may do everything, and whose secret seems to end in the same letters whenever a picture is taken. */
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
