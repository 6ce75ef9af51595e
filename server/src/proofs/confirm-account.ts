import { v7 as uuidv7 } from 'uuid';
import { lockLivingAccount } from '../callers/lock-living-account.ts';
import { ACCOUNT_KINDS, type AccountKind } from '../config/account-kinds.ts';
import { hostName } from '../config/host-catalogue.ts';
import type { Connection, Database } from '../database/connect.ts';
import { retryConflicts } from '../database/retry-conflicts.ts';
import { inTransaction } from '../database/transaction.ts';
import { DomainError } from '../domain-error.ts';
import { readHostAccount, readsAccounts } from '../hosts/host-accounts.ts';
import { HostFailure } from '../hosts/host-failure.ts';
import type { Hosts } from '../hosts/hosts.ts';
import { lockLineage } from '../registry/relations/lineage-edges.ts';
import { scoreNow } from '../scoring/score-now.ts';
import type { ScoringBackend } from '../scoring/scoring-backend.ts';
import { saveConfirmedLink } from './linked-account.repository.ts';
import type { LinkedAccount } from './linked-account.ts';
import { proveAccount } from './prove-account.ts';
import { requireLink } from './read-links.ts';
import { readProved } from './read-proved.ts';

/** What an operator confirms of an account here. */
export interface Confirmation {
  accountId: string;
  kind: string;
  host: string;
  handle: string;
  /** Where anybody can see what the operator relied on. */
  evidenceUrl: string;
  /** The host's own id of the account, where the operator knows it: then the host is not asked. */
  hostAccountId: string | null;
}

/** Of an account whose host was not asked. */
const UNREAD = { createdAt: null, evidenceUrl: null, facts: null };

const HOST = /^[a-z0-9](?:[a-z0-9.-]{0,251}[a-z0-9])?$/;
const HANDLE = /^[A-Za-z0-9._~-]{1,200}$/;

/**
 * Proves an account elsewhere on the operator's word, with all that a proof brings. A host that can be read tells its own
 * id of the account first. Such a proof lapses like any other: where the host cannot be read it has to be confirmed again
 * within 60 days. Throws invalid_request, proof_not_found, unavailable.
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
  const outcomes = await readProved(database, hosts, { kind, host, handle }, found);
  const linkId = uuidv7();
  const store = async (connection: Connection) => {
    await lockLivingAccount(connection, accountId);
    await lockLineage(connection);
    await saveConfirmedLink(connection, { id: linkId, accountId, kind, host, handle, evidenceUrl });
    const { hostAccountId, createdAt, evidenceUrl: profileUrl, facts } = found;
    const proof = { linkId, accountId, kind, host, handle: found.handle, hostAccountId, createdAt };
    const stored = { ...proof, provedBy: 'operator', profileUrl, codePlace: null, facts } as const;
    return proveAccount(connection, stored, outcomes);
  };
  const due = await retryConflicts(() => inTransaction(database, store));
  await scoreNow(database, backend, due);
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
  if (!isLink) throw invalid('The evidence must be an http or https address of at most 2,000 characters.');
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
