import { randomUUID } from 'node:crypto';
import { openSession } from '../../src/callers/session.ts';
import type { Database } from '../../src/database/connect.ts';
import { setClock } from '../clock.ts';
import { furnishCalls } from './furnish-calls.ts';
import { furnishIdentity } from './furnish-identity.ts';
import { furnishKeys } from './furnish-keys.ts';
import { furnishLimited } from './furnish-limited.ts';

/** When the pictures are taken: the account never grows older. */
const TODAY = '2026-11-20T09:00:00Z';
const OWNER = '01930000-0000-7000-8000-00000000c0de';

/** Three people's consoles: one with something of everything, one at its limits, one as it is after a first sign-in. */
export interface FurnishedConsole {
  /** Their cookies, as a browser sends them to a server without https. */
  readonly owner: string;
  readonly limited: string;
  readonly newcomer: string;
  /** The owner's, who signed in too long ago to make keys. */
  readonly returning: string;
  /** Ids that stand in addresses. */
  readonly keyId: string;
  readonly settledId: string;
  readonly failedId: string;
  readonly heldId: string;
  readonly provedLinkId: string;
  readonly lapsedLinkId: string;
  readonly pendingLinkId: string;
  readonly expiredLinkId: string;
  /** The owner's listing. */
  readonly listedId: string;
  /** Another one, in a repository that is not proved. */
  readonly unclaimedId: string;
}

/** Fills three accounts in a database whose clock is replaced; the clock then stands at TODAY, so that every sign-in is recent. */
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
