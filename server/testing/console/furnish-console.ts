import { randomUUID } from 'node:crypto';
import { openSession } from '../../src/access/callers/session.ts';
import type { Database } from '../../src/platform/database/connect.ts';
import { setClock } from '../clock.ts';
import { furnishCalls } from './furnish-calls.ts';
import { furnishIdentity } from './furnish-identity.ts';
import { furnishKeys } from './furnish-keys.ts';
import { furnishLimited } from './furnish-limited.ts';

/** Fixed time of the pictures, so that ages never change. */
const TODAY = '2026-11-20T09:00:00Z';
const OWNER = '01930000-0000-7000-8000-00000000c0de';

/** Consoles of three people: one with all kinds of data, one at its limits, one after the first sign-in. */
export interface FurnishedConsole {
  /** Cookies of the people, as a browser sends them over http. */
  readonly owner: string;
  readonly limited: string;
  readonly newcomer: string;
  /** Cookie of the owner, who signed in too long ago to create keys. */
  readonly returning: string;
  /** Ids that appear in paths. */
  readonly keyId: string;
  readonly settledId: string;
  readonly failedId: string;
  readonly heldId: string;
  readonly provedLinkId: string;
  readonly lapsedLinkId: string;
  readonly pendingLinkId: string;
  readonly expiredLinkId: string;
  /** Id of the owner's listing. */
  readonly listedId: string;
  /** Id of another listing, the owner of whose repository is not proved. */
  readonly unclaimedId: string;
}

/**
 * Fills three accounts in a database with a replaced clock. The clock then stays at TODAY, so that every sign-in is
 * recent.
 */
export async function furnishConsole(database: Database): Promise<FurnishedConsole> {
  await setClock(database, '2026-10-05T08:00:00Z');
  await database.query(
    "INSERT INTO account (id, handle, plan, overage_enabled, overage_cap) VALUES ($1, 'noor-labs', 'builder', true, 1500)",
    [OWNER],
  );
  const keys = await furnishKeys(database, OWNER);
  const calls = await furnishCalls(database, OWNER, keys);
  await setClock(database, '2026-11-20T08:44:00Z');
  const returning = await signIn(database, OWNER);
  await setClock(database, TODAY);
  const links = await furnishIdentity(database, OWNER);
  const { accountId: limited, ...limits } = await furnishLimited(database);
  const newcomer = randomUUID();
  await database.query("INSERT INTO account (id, plan) VALUES ($1, 'free')", [newcomer]);
  return {
    owner: await signIn(database, OWNER),
    limited: await signIn(database, limited),
    returning,
    newcomer: await signIn(database, newcomer),
    keyId: keys.ci.id,
    ...calls,
    ...links,
    ...limits,
  };
}

async function signIn(database: Database, accountId: string): Promise<string> {
  const { token } = await openSession(database, accountId, 'sign_in');
  return `sid=${token}`;
}
