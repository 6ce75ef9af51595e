import { v7 as uuidv7 } from 'uuid';
import { lockExistingAccount } from '../../access/callers/session.ts';
import { proofKeys } from '../../catalog/registry-keys.ts';
import { inRegistryTransaction, lockKeys } from '../../catalog/registry-locks.ts';
import type { Hosts } from '../../hosts/create-hosts.ts';
import { followRename } from '../../ownership/handles/follow-host.ts';
import { proveAccount, readProvedRepositories } from '../../ownership/proofs/prove-account.ts';
import type { ProvingIssuer } from '../../platform/config/sign-in-config.ts';
import type { Connection, Database } from '../../platform/database/connect.ts';
import { scoreInline } from '../../scoring/batches/score-subjects.ts';
import type { ScoringBackend } from '../../scoring/scoring-backend.ts';
import type { Person } from './identity-provider.ts';
import { findSignInProof, saveProviderLink } from './sign-in.queries.ts';

export interface SignInProofParts {
  backend: ScoringBackend;
  hosts: Hosts;
  /** Issuers whose sign-ins prove host accounts. */
  proves: readonly ProvingIssuer[];
}

/**
 * Stores a sign-in as a proof: the directory account owns the host account with which the person signed in at the
 * provider. Does nothing if the operator does not trust this provider for proofs, or if the handle is unknown. Skips a
 * proof that was checked within the last day and has the same handle. The proof identifies the host account by the
 * person's `subject`, so a provider may be trusted only if its subjects are the host's account ids.
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
  const outcomes = await readProvedRepositories(database, hosts, from, { handle, hostAccountId });
  const store = async (connection: Connection) => {
    await lockExistingAccount(connection, accountId);
    await lockKeys(connection, proofKeys({ accountId, host, handle, hostAccountId }));
    const link = await findSignInProof(connection, { accountId, kind, host, hostAccountId });
    const linkId = link?.id ?? uuidv7();
    if (!link) await saveProviderLink(connection, { id: linkId, accountId, kind, host, handle });
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
  const due = await inRegistryTransaction(database, store);
  await scoreInline(database, backend, due);
}
