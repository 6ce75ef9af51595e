import type { Database } from '../server/src/platform/database/connect.ts';
import {
  giveCredits,
  makeAccount,
  makeListing,
  type TestAccount,
  type TestListing,
} from '../server/testing/factories.ts';

/** Callers and subjects of an experiment. */
export interface World {
  readonly accounts: readonly TestAccount[];
  readonly listings: readonly TestListing[];
}

/** Creates accounts on the free plan with additional credits (many by default), and listings for them to score. */
export async function makeWorld(
  database: Database,
  size: { accounts: number; listings: number; credits?: number },
): Promise<World> {
  const accounts: TestAccount[] = [];
  for (let i = 0; i < size.accounts; i++) {
    const account = await makeAccount(database);
    if (size.credits !== 0) await giveCredits(database, account.accountId, size.credits ?? 10_000_000);
    accounts.push(account);
  }
  const listings: TestListing[] = [];
  for (let i = 0; i < size.listings; i++) listings.push(await makeListing(database));
  return { accounts, listings };
}
