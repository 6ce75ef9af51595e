import { createHash } from 'node:crypto';
import type { CreatedKey } from '../../src/access/keys/create-key.ts';
import { accountBalance } from '../../src/billing/balance/account-balance.ts';
import { newLedgerId, reserve } from '../../src/billing/ledger/reserve.ts';
import type { Database } from '../../src/platform/database/connect.ts';
import { credentialOf, PLAN_BOOK } from '../factories.ts';
import { makeCreator, makeListing } from '../subjects/registry.factory.ts';
import { makeKnownKey } from './furnish-keys.ts';

const LIMITED = '01930000-0000-7000-8000-00000000f011';
const EXPIRED_LINK = '01930000-0000-7000-8000-0000000000e1';

/** Ids that appear in paths. */
export interface FurnishedLimits {
  accountId: string;
  heldId: string;
  expiredLinkId: string;
}

/**
 * Creates an account at its limits: no free key slot, a running call, a scheduled plan change, overage off, a link with
 * an expired code, and a child of an unverified listing.
 */
export async function furnishLimited(database: Database): Promise<FurnishedLimits> {
  await database.query(
    `INSERT INTO account (id, handle, plan, next_plan, next_plan_from)
     VALUES ($1, 'close-to-the-edge', 'builder', 'pro', '2026-12-01')`,
    [LIMITED],
  );
  const key = await makeKnownKey(database, LIMITED, 'production', 'a1Bc');
  for (const [name, lastFour] of NAMES) await makeKnownKey(database, LIMITED, name, lastFour);
  const creator = await makeCreator(database, {
    host: 'directory',
    handle: 'close-to-the-edge',
    accountId: LIMITED,
  });
  const parent = await makeListing(database, { repository: 'close-to-the-edge/summarizer', creator });
  await makeListing(database, { repository: 'follower/short-summaries', parentId: parent.id });
  await database.query(
    `INSERT INTO linked_account (id, account_id, kind, host, handle, code, code_expires_at)
     VALUES ($1, $2, 'repo_host', 'gitlab.com', 'close-to-the-edge', 'trust-directory-2b8n5kxw7q', ledger_now() - interval '1 hour')`,
    [EXPIRED_LINK, LIMITED],
  );
  return {
    accountId: LIMITED,
    heldId: await holdCall(database, key, parent.id),
    expiredLinkId: EXPIRED_LINK,
  };
}

/** Starts a call that does not end. */
async function holdCall(database: Database, key: CreatedKey, subjectId: string): Promise<string> {
  // Reading the balance creates the month's bucket.
  await accountBalance(database, PLAN_BOOK, LIMITED);
  const run = await reserve(database, {
    credential: credentialOf(key),
    accountId: LIMITED,
    callerId: key.id,
    namedKeyId: null,
    scope: 'scores:read',
    idempotencyKey: 'under-way',
    fingerprint: createHash('sha256').update('under way').digest(),
    priceCredits: 8,
    ledgerId: newLedgerId(),
    operation: 'skill_score',
    subjectId,
    leaseMs: 3_600_000,
  });
  if (!run) throw new Error('nothing was held');
  return run.ledgerId;
}

const NAMES = [
  ['staging', 'd2Ef'],
  ['laptop', 'g3Hi'],
  ['nightly report', 'j4Kl'],
  ['notebook', 'm5No'],
] as const;
