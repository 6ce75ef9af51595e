import { creatorsOfAccounts } from '../../catalog/creators/verified.ts';
import { accountKey, creatorKey, proofKeys } from '../../catalog/registry-keys.ts';
import { inRegistryTransaction, lockKeys, lockMoreKeys, readLocked } from '../../catalog/registry-locks.ts';
import type { AccountKind } from '../../platform/config/known-hosts.ts';
import type { Connection, Database } from '../../platform/database/connect.ts';
import { scoreInline } from '../../scoring/batches/score-subjects.ts';
import type { ScoringBackend } from '../../scoring/scoring-backend.ts';
import { lockCreators } from '../handles/follow-host.ts';
import { deleteClaims } from '../handles/listing-claims.queries.ts';
import { releaseHandle } from '../handles/release-handle.ts';
import type { ProvedBy } from './linked-account.queries.ts';
import { findLapsedAccount, saveLapse } from './proofs.queries.ts';
import { updateVerifiedFlags } from './prove-account.ts';

/** Maximum accounts per call. */
const ACCOUNTS_PER_RUN = 100;

/**
 * Marks proofs as lapsed 60 days after their last successful check, or after the first failed check if another proof
 * has suspended them. Clears the verified flags of the creators and listings that depend on them, and restores the
 * texts that the listings had before. Returns the number of affected accounts. Safe to run in any process at any time.
 * A proof that is checked meanwhile keeps its flags.
 */
export async function lapseProofs(database: Database, backend: ScoringBackend): Promise<number> {
  for (let lapsed = 0; lapsed < ACCOUNTS_PER_RUN; lapsed += 1) {
    const accountId = await findLapsedAccount(database);
    if (accountId === null) return lapsed;
    const due = await inRegistryTransaction(database, async (connection) => {
      await lockKeys(connection, [accountKey(accountId)]);
      return withdrawProofs(connection, accountId, await saveLapse(connection, accountId));
    });
    await scoreInline(database, backend, due);
  }
  return ACCOUNTS_PER_RUN;
}

/** A proof that has ended or lapsed. */
export interface WithdrawnProof {
  kind: AccountKind;
  host: string;
  handle: string;
  hostAccountId: string | null;
  provedBy: ProvedBy | null;
}

/**
 * Withdraws what removed or lapsed proofs gave an account. Listings get back their former texts, verified flags are
 * updated, and affected subjects are queued for scoring. Returns these subjects. The caller is in a transaction, has
 * called lockRegistry or lockKeys, and has stored that the proofs no longer count.
 */
export async function withdrawProofs(
  connection: Connection,
  accountId: string,
  proofs: readonly WithdrawnProof[],
): Promise<string[]> {
  await lockMoreKeys(connection, [
    accountKey(accountId),
    ...proofs.flatMap((proof) => proofKeys({ ...proof, accountId })),
  ]);
  const own = await readLocked(
    connection,
    () => creatorsOfAccounts(connection, [accountId]),
    (ids) => ids.map(creatorKey),
  );
  const creators = new Set(own);
  await lockCreators(connection, [...creators]);
  for (const { kind, host, handle, hostAccountId, provedBy } of proofs) {
    if (kind !== 'repo_host') continue;
    await deleteClaims(connection, accountId, { host, handle });
    const ended = { accountId, host, handle, hostAccountId, forgetsId: provedBy === 'operator' };
    for (const creator of await releaseHandle(connection, ended)) creators.add(creator);
  }
  return updateVerifiedFlags(connection, [...creators]);
}
