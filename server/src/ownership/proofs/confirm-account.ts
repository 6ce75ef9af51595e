import { v7 as uuidv7 } from 'uuid';
import { lockExistingAccount } from '../../access/callers/session.ts';
import { nameKey, proofKeys } from '../../catalog/registry-keys.ts';
import { inRegistryTransaction, lockKeys } from '../../catalog/registry-locks.ts';
import type { Hosts } from '../../hosts/create-hosts.ts';
import { HostFailure } from '../../hosts/host-account.ts';
import { readHostAccount, readsAccounts } from '../../hosts/lookup/host-accounts.ts';
import { ACCOUNT_KINDS, type AccountKind, hostName } from '../../platform/config/known-hosts.ts';
import type { Connection, Database } from '../../platform/database/connect.ts';
import { DomainError } from '../../platform/errors/domain-error.ts';
import { scoreInline } from '../../scoring/batches/score-subjects.ts';
import type { ScoringBackend } from '../../scoring/scoring-backend.ts';
import { requireLink } from './link-account.ts';
import type { LinkedAccount } from './linked-account.queries.ts';
import { saveConfirmedLink } from './linked-account.queries.ts';
import { proveAccount, readProvedRepositories } from './prove-account.ts';

/** An operator's confirmation that a host account belongs to the directory account `accountId`. */
export interface Confirmation {
  accountId: string;
  kind: string;
  host: string;
  handle: string;
  /** Public page on which the operator bases the confirmation. */
  evidenceUrl: string;
  /** The host's own id of the account, if the operator knows it. The account itself is then not read from its host. */
  hostAccountId: string | null;
}

/** Values for an account that was not read from its host. */
const UNREAD = { createdAt: null, evidenceUrl: null, facts: null };

const HOST = /^[a-z0-9](?:[a-z0-9.-]{0,251}[a-z0-9])?$/;
const HANDLE = /^[A-Za-z0-9._~-]{1,200}$/;

/**
 * Stores an operator's confirmation as a proof, with the effects that `proveAccount` lists. Unless the operator
 * supplies the host's id of the account, the id is read from the host first, if the host can be read. The proof lapses
 * like any other: if the host cannot be read, the operator must confirm again within 60 days. Throws invalid_request,
 * not_found, proof_not_found, unavailable.
 */
export async function confirmAccount(
  database: Database,
  { hosts, backend }: { hosts: Hosts; backend: ScoringBackend },
  confirmation: Confirmation,
): Promise<LinkedAccount> {
  const { accountId, kind, host, handle, evidenceUrl } = checked(confirmation);
  const { hostAccountId: givenId } = confirmation;
  const known = { ...UNREAD, handle, hostAccountId: givenId };
  const isAsked = known.hostAccountId === null && readsAccounts(kind, host, { hosts });
  const found = isAsked ? await read(kind, host, handle, hosts) : known;
  const outcomes = await readProvedRepositories(database, hosts, { kind, host, handle }, found);
  const linkId = uuidv7();
  const store = async (connection: Connection) => {
    await lockExistingAccount(connection, accountId);
    await lockKeys(connection, [nameKey(handle), ...proofKeys({ ...found, accountId, host })]);
    await saveConfirmedLink(connection, { id: linkId, accountId, kind, host, handle, evidenceUrl });
    const { hostAccountId, createdAt, evidenceUrl: profileUrl, facts } = found;
    const proof = { linkId, accountId, kind, host, handle: found.handle, hostAccountId, createdAt };
    const stored = { ...proof, provedBy: 'operator', profileUrl, codePlace: null, facts } as const;
    return proveAccount(connection, stored, outcomes);
  };
  const due = await inRegistryTransaction(database, store);
  await scoreInline(database, backend, due);
  return requireLink(database, accountId, linkId);
}

function checked(confirmation: Confirmation) {
  const kind = ACCOUNT_KINDS.find((each) => each === confirmation.kind);
  if (!kind) throw invalid(`The kind must be one of ${ACCOUNT_KINDS.join(', ')}.`);
  const host = hostName(confirmation.host);
  const handle = confirmation.handle.trim().replace(/^@/, '');
  if (!HOST.test(host)) throw invalid('The host must be a name such as github.com.');
  if (!HANDLE.test(handle)) throw invalid('The handle must be 1 to 200 letters, digits and . _ ~ -.');
  const url = URL.parse(confirmation.evidenceUrl);
  const isLink = url !== null && ['http:', 'https:'].includes(url.protocol) && url.href.length <= 2_000;
  if (!isLink) throw invalid('The evidence must be an http or https URL of at most 2,000 characters.');
  return { accountId: confirmation.accountId, kind, host, handle, evidenceUrl: url.href };
}

async function read(kind: AccountKind, host: string, handle: string, hosts: Hosts) {
  return readHostAccount(kind, host, handle, null, { hosts }).catch((error: unknown) => {
    if (!(error instanceof HostFailure)) throw error;
    if (error.kind === 'not_found' || error.kind === 'moved')
      throw new DomainError('proof_not_found', error.message);
    throw new DomainError(
      'unavailable',
      `${host} cannot be read at present. Try again later, or give the host's own id of the account.`,
    );
  });
}

function invalid(message: string): DomainError {
  return new DomainError('invalid_request', message);
}
