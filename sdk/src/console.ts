import type { TrustDirectory } from './client.ts';
import { type AccessKeys, accessKeysOf } from './resources/access-keys.ts';
import { type Account, accountOf } from './resources/account.ts';
import { type ChildClaims, childClaimsOf } from './resources/child-claims.ts';
import { type LinkedAccounts, linkedAccountsOf } from './resources/linked-accounts.ts';
import { type OwnAgents, ownAgentsOf } from './resources/own-agents.ts';
import { type Usage, usageOf } from './resources/usage.ts';
import type { Call } from './transport/call.ts';
import { repeatIfNotDone } from './transport/retry-policy.ts';

/**
 * Methods for a signed-in user. They need a console session; an access key is not enough. On the service's own pages
 * the browser sends the session cookie; elsewhere, pass a `fetch` that adds the cookie and an `Origin` header.
 */
export interface Console {
  /** Session, plan and balance, creator handle. */
  readonly account: Account;
  /** Create, replace, pause and revoke access keys. */
  readonly keys: AccessKeys;
  /** Read the cost of your calls. */
  readonly usage: Usage;
  /** List your own agents and skills, and refresh their scores. */
  readonly agents: OwnAgents;
  /** Prove that you own accounts on other platforms. */
  readonly linkedAccounts: LinkedAccounts;
  /** Acknowledge listings that are based on yours. */
  readonly children: ChildClaims;
}

/**
 * Returns the methods of the console. It is a separate function, so that only programs that use it bundle it. Reads are
 * retried like those of `client.agents`. Writes have no idempotency key, so they are retried only after a 429 or a
 * failed connection attempt.
 *
 * @example
 * import { consoleOf, TrustDirectory } from '@trust-directory/sdk';
 *
 * const client = new TrustDirectory({ baseUrl: location.origin });
 * const { data } = await consoleOf(client).linkedAccounts.list();
 */
export function consoleOf(client: TrustDirectory): Console {
  const call: Call = (method, path, expects, input, options) =>
    client.call(method, path, expects, { ...input, repeatWrite: repeatIfNotDone }, options);
  return {
    account: accountOf(call),
    keys: accessKeysOf(call),
    usage: usageOf(call),
    agents: ownAgentsOf(call),
    linkedAccounts: linkedAccountsOf(call),
    children: childClaimsOf(call),
  };
}
