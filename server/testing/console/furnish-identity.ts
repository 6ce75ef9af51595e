import type { Database } from '../../src/platform/database/connect.ts';
import { makeCreator, makeListing, makeScore } from '../subjects/registry.factory.ts';

/** Creates linked accounts in every state, a listing with two claimed derivatives, and one without a score. */
export async function furnishIdentity(
  database: Database,
  accountId: string,
): Promise<{
  provedLinkId: string;
  lapsedLinkId: string;
  pendingLinkId: string;
  listedId: string;
  unclaimedId: string;
}> {
  const creator = await makeCreator(database, {
    host: 'directory',
    handle: 'noor-labs',
    verified: true,
    accountId,
  });
  const parent = await makeListing(database, {
    repository: 'noor-labs/planner',
    type: 'agent',
    creator,
    verified: true,
    listedAt: '2026-10-06T08:00:00Z',
  });
  await makeScore(database, parent, { trust: 71.4, confidence: 64, tier: 'high' });
  const fork = await makeListing(database, {
    repository: 'someone/planner-lite',
    type: 'agent',
    parentId: parent.id,
  });
  await makeScore(database, fork, { trust: 38.2, confidence: 41 });
  const known = {
    repository: `partner/${'port-of-planner-'.repeat(3)}go`,
    parentId: parent.id,
    acknowledged: true,
  };
  await makeListing(database, known);
  // The account's newest listing: it has no score, and the owner of its repository is not proved.
  const unclaimed = await makeListing(database, {
    repository: 'noor-studio/a-skill-with-a-name-that-goes-on-and-on-until-the-line-breaks',
    type: 'skill',
    creator,
    listedAt: '2026-11-20T08:59:00Z',
  });
  const provedLinkId = await link(
    database,
    accountId,
    ['repo_host', 'github.com', 'noor-labs'],
    '2026-11-14',
  );
  const lapsedLinkId = await link(database, accountId, ['node_packages', 'npmjs.com', 'noor'], '2026-08-20');
  const pendingLinkId = await link(
    database,
    accountId,
    ['social', 'bsky.app', 'noor-labs.bsky.social'],
    null,
  );
  return {
    provedLinkId,
    lapsedLinkId,
    pendingLinkId,
    listedId: parent.agentId,
    unclaimedId: unclaimed.agentId,
  };
}

/** Creates a link that waits for its code, or was last checked on a day. */
async function link(
  database: Database,
  accountId: string,
  [kind, host, handle]: readonly [string, string, string],
  checked: string | null,
): Promise<string> {
  const id = `01930000-0000-7000-8000-0000000000${host.length + 10}`;
  await database.query(
    `INSERT INTO linked_account (id, account_id, kind, host, handle, code, code_expires_at, proved_at, proved_by,
       host_account_id, host_account_created_at, checked_at, check_due_at)
     VALUES ($6, $1, $2, $3, $4, 'trust-directory-7k2mx9qdhj4rt8wv3zab', ledger_now() + interval '23 hours',
       $5::date, CASE WHEN $5 IS NULL THEN NULL ELSE 'code' END, CASE WHEN $5 IS NULL THEN NULL ELSE '4217' END,
       CASE WHEN $5 IS NULL THEN NULL ELSE '2019-03-04'::date END, $5::date, $5::date + 30)`,
    [accountId, kind, host, handle, checked, id],
  );
  return id;
}
