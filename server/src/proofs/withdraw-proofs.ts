import type { AccountKind } from '../config/account-kinds.ts';
import type { Connection } from '../database/connect.ts';
import { dropClaims } from '../handles/listing-claims.ts';
import { lockCreators } from '../handles/lock-creators.ts';
import { takeBack } from '../handles/take-back.ts';
import { creatorsOfAccounts } from '../registry/creators/verified.ts';
import type { ProvedBy } from './linked-account.ts';
import { refreshMarks } from './prove-account.ts';

/** A proof that has ended, or counts no more. */
export interface WithdrawnProof {
  kind: AccountKind;
  host: string;
  handle: string;
  hostAccountId: string | null;
  provedBy: ProvedBy | null;
}

/**
 * All that follows where proofs of an account were removed or have lapsed: listings return to what the registry last had,
 * marks are right, and what has to be scored again is noted. Answers that. The caller is in a transaction, has called
 * lockLineage, and has stored that the proofs count no more.
 */
export async function withdrawProofs(
  connection: Connection,
  accountId: string,
  proofs: readonly WithdrawnProof[],
): Promise<string[]> {
  const creators = new Set(await creatorsOfAccounts(connection, [accountId]));
  await lockCreators(connection, [...creators]);
  for (const { kind, host, handle, hostAccountId, provedBy } of proofs) {
    if (kind !== 'repo_host') continue;
    await dropClaims(connection, accountId, { host, handle });
    const ended = { accountId, host, handle, hostAccountId, forgetsId: provedBy === 'operator' };
    for (const creator of await takeBack(connection, ended)) creators.add(creator);
  }
  return refreshMarks(connection, [...creators]);
}
