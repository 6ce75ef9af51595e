import { v7 as uuidv7 } from 'uuid';
import { lockLivingAccount } from '../callers/lock-living-account.ts';
import type { ProvingIssuer } from '../config/sign-in-kinds.ts';
import type { Connection, Database } from '../database/connect.ts';
import { retryConflicts } from '../database/retry-conflicts.ts';
import { inTransaction } from '../database/transaction.ts';
import { followRename } from '../handles/follow-rename.ts';
import type { Hosts } from '../hosts/hosts.ts';
import { proveAccount } from '../proofs/prove-account.ts';
import { readProved } from '../proofs/read-proved.ts';
import { lockLineage } from '../registry/relations/lineage-edges.ts';
import { scoreNow } from '../scoring/score-now.ts';
import type { ScoringBackend } from '../scoring/scoring-backend.ts';
import type { Person } from './identity-provider.ts';
import { findSignInProof, saveVouchedLink } from './sign-in-proof.repository.ts';

export interface SignInProofParts {
  backend: ScoringBackend;
  hosts: Hosts;
  /** Which issuers prove which accounts. */
  proves: readonly ProvingIssuer[];
}

/**
 * Proves the account elsewhere that a person has just signed in with, where the operator has said that its provider
 * vouches for it: its subject is the host's own id of the account. A proof of the last day is left as it is.
 */
export async function proveBySignIn(
  database: Database,
  { backend, hosts, proves }: SignInProofParts,
  accountId: string,
  person: Person,
): Promise<void> {
  const place = proves.find(({ issuer }) => new URL(issuer).href === new URL(person.issuer).href);
  const { handle, subject: hostAccountId } = person;
  if (!place || handle === null) return;
  const { kind, host } = place;
  const known = await findSignInProof(database, { accountId, kind, host, hostAccountId });
  if (known?.isFresh && known.handle === handle) return;
  const from = { kind, host, handle: known?.handle ?? handle };
  const outcomes = await readProved(database, hosts, from, { handle, hostAccountId });
  const store = async (connection: Connection) => {
    await lockLivingAccount(connection, accountId);
    await lockLineage(connection);
    const link = await findSignInProof(connection, { accountId, kind, host, hostAccountId });
    const linkId = link?.id ?? uuidv7();
    if (!link) await saveVouchedLink(connection, { id: linkId, accountId, kind, host, handle });
    else if (kind === 'repo_host' && link.handle.toLowerCase() !== handle.toLowerCase()) {
      await followRename(connection, { accountId, host, hostAccountId, from: link.handle, to: handle });
    }
    const found = {
      handle,
      hostAccountId,
      createdAt: person.accountCreatedAt,
      profileUrl: null,
      codePlace: null,
      facts: null,
    };
    const proof = { linkId, accountId, kind, host, ...found, provedBy: 'identity_provider' } as const;
    return proveAccount(connection, proof, outcomes);
  };
  const due = await retryConflicts(() => inTransaction(database, store));
  await scoreNow(database, backend, due);
}
