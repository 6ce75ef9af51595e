import type { TrustDirectory } from './client.ts';
import { type AccessKeys, accessKeysOf } from './resources/access-keys.ts';
import { type Account, accountOf } from './resources/account.ts';
import { type ChildClaims, childClaimsOf } from './resources/child-claims.ts';
import { type LinkedAccounts, linkedAccountsOf } from './resources/linked-accounts.ts';
import { type OwnAgents, ownAgentsOf } from './resources/own-agents.ts';
import { type Usage, usageOf } from './resources/usage.ts';

/**
 * What a person who has signed in can do. Every method needs a session of the console, not a key: on the service's own
 * pages the browser sends it by itself; elsewhere a `fetch` of your own adds its cookie and an `Origin`.
 */
export interface Console {
  /** Session, plan and balance, creator handle. */
  readonly account: Account;
  /** Create, replace, pause and revoke access keys. */
  readonly keys: AccessKeys;
  /** What your calls cost. */
  readonly usage: Usage;
  /** Your own agents and skills, and their scores. */
  readonly agents: OwnAgents;
  /** Prove who you are elsewhere. */
  readonly linkedAccounts: LinkedAccounts;
  /** Acknowledge what others base on your listings. */
  readonly children: ChildClaims;
}

/**
 * The endpoints of the console. A function of its own, so that programs without a console don't load it. Reads are
 * repeated as those of `agents` are; writes have no idempotency key, so only a 429 and a connection that was never made
 * are tried again.
 *
 * @example
 * import { consoleOf, TrustDirectory } from '@trust-directory/sdk';
 *
 * const client = new TrustDirectory({ baseUrl: location.origin });
 * const { data } = await consoleOf(client).linkedAccounts.list();
 */
export const consoleOf = (client: TrustDirectory): Console => ({
  account: accountOf(client.call),
  keys: accessKeysOf(client.call),
  usage: usageOf(client.call),
  agents: ownAgentsOf(client.call),
  linkedAccounts: linkedAccountsOf(client.call),
  children: childClaimsOf(client.call),
});
