import { lockExistingAccount } from '../../access/callers/session.ts';
import { refreshCreatorAliases } from '../../catalog/creators/creator-names.ts';
import { findAccountCreator } from '../../catalog/creators/save-creators.ts';
import { markProofDue, refreshVerified } from '../../catalog/creators/verified.ts';
import { refreshSearch } from '../../catalog/listings/write-listings.ts';
import { accountKey, nameKey } from '../../catalog/registry-keys.ts';
import { inRegistryTransaction, lockKeys } from '../../catalog/registry-locks.ts';
import { DIRECTORY_HOST, RESERVED_SEGMENTS } from '../../catalog/subjects/public-path.ts';
import { handleAlias } from '../../catalog/subjects/stored-aliases.ts';
import type { Connection, Database } from '../../platform/database/connect.ts';
import { violates } from '../../platform/database/database-errors.ts';
import { DomainError } from '../../platform/errors/domain-error.ts';
import { scoreInline } from '../../scoring/batches/score-subjects.ts';
import type { ScoringBackend } from '../../scoring/scoring-backend.ts';
import { lockCreators } from './follow-host.ts';
import {
  findHandle,
  findProvedHandle,
  isHandleTaken,
  isHandleTakenByOthers,
  renameAccount,
} from './handle.queries.ts';
import { unifyHandle } from './owner-creators.ts';
import { listingsOfOwner } from './ownership.queries.ts';

export interface HandleChoice {
  accountId: string;
  handle: string;
  /**
   * Rechecks the caller's session and locks it for the transaction. Throws unauthorized if the session has ended, and
   * sign_in_again if it was not opened recently.
   */
  lockRecentSignIn(connection: Connection): Promise<void>;
}

/**
 * Sets the first or a new creator handle of an account. Throws invalid_request for a malformed or reserved handle or a
 * deleted account, not_found if there is no such account, and whatever lockRecentSignIn throws. Throws handle_taken if
 * another account or creator has the handle, or if it is the handle of an owner of listed repositories whose host
 * account the caller has not proved.
 */
export async function chooseHandle(
  database: Database,
  backend: ScoringBackend,
  { accountId, handle, lockRecentSignIn }: HandleChoice,
): Promise<void> {
  const due = await inRegistryTransaction(database, async (connection) => {
    // Locks the account before the session, in the same order as the deletion of the account.
    await lockExistingAccount(connection, accountId);
    await lockRecentSignIn(connection);
    return setHandle(connection, accountId, handle);
  });
  await scoreInline(database, backend, due);
}

/** Returns whether an account has a creator handle. The first sign-in creates an account without one. */
export async function hasChosenHandle(connection: Connection, accountId: string): Promise<boolean> {
  return (await findHandle(connection, accountId)) !== null;
}

/**
 * Returns the creator handle of an account (null if none is chosen) and the handle to propose: the chosen handle;
 * otherwise the handle of the creator that the account has claimed by a proof; otherwise null.
 */
export async function proposeHandle(
  connection: Connection,
  accountId: string,
): Promise<{ handle: string | null; proposed: string | null }> {
  const handle = await findHandle(connection, accountId);
  return { handle, proposed: handle ?? (await findProvedHandle(connection, accountId)) };
}

/**
 * Throws `forbidden` if the account has not chosen a creator handle. A listing needs one, because it belongs to a
 * creator.
 */
export async function requireChosenHandle(connection: Connection, accountId: string): Promise<void> {
  if (await hasChosenHandle(connection, accountId)) return;
  throw new DomainError(
    'forbidden',
    'Your account has no creator handle yet. Choose one in the console, at /console/handle, and register again.',
  );
}

/**
 * Sets the first or a new handle of an account. The handle must be free, or be the handle of the account's own creator
 * or of a host account that the account has proved. The old handle redirects to the account's creator, if there is one,
 * until another account takes it. Returns the subjects that need a new score. The caller is in a transaction. Throws
 * invalid_request, handle_taken; not_found if there is no such account.
 */
export async function setHandle(
  connection: Connection,
  accountId: string,
  handle: string,
): Promise<string[]> {
  requireHandle(handle);
  await lockExistingAccount(connection, accountId);
  const old = await findHandle(connection, accountId);
  await lockKeys(connection, [
    accountKey(accountId),
    nameKey(handle),
    ...(old === null ? [] : [nameKey(old)]),
  ]);
  if (await isHandleTakenByOthers(connection, accountId, handle)) throw handleTaken(handle);
  const creatorId = await findAccountCreator(connection, accountId);
  if (creatorId !== null) await lockCreators(connection, [creatorId]);
  const before = await renameAccount(connection, accountId, handle).catch((error: unknown) => {
    throw violates(error, 'account_handle') ? handleTaken(handle) : error;
  });
  if (creatorId === null) return [];
  const [ownId = creatorId, ...merged] = await unifyHandle(connection, accountId);
  const former =
    before === null ? [] : [{ label: handleAlias(DIRECTORY_HOST, before), kind: 'former' as const }];
  await refreshCreatorAliases(connection, [ownId], new Map([[ownId, former]]));
  await refreshSearch(connection, await listingsOfOwner(connection, ownId, null));
  if (merged.length === 0) return [];
  await refreshVerified(connection, [ownId, ...merged]);
  return markProofDue(connection, [ownId]);
}

const HANDLE = /^[A-Za-z0-9](?:[A-Za-z0-9._-]{0,98}[A-Za-z0-9])?$/;

/** Handles of this shape could be confused with an account id, or with the name of a deleted account. */
const RESERVED = /^(deleted-)?[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/**
 * Reserved names that look official or like a page of the site: the owner of one could pose as the directory or its
 * operator.
 */
const OUR_NAMES: ReadonlySet<string> = new Set(
  `about abuse account accounts admin administrator agent agents anonymous app billing blog cli contact creator creators
  demo directory everyone help home id identity info legal login logout mail me moderator new nobody null official operator
  postmaster privacy public register root sdk search security settings sign-up signin signout signup skill skills staff
  static status support svc system team terms trust trust-directory trustdirectory undefined unknown webmaster well-known
  www`.split(/\s+/),
);

/** Throws invalid_request unless this handle is allowed; it does not check whether the handle is free. */
export function requireHandle(handle: string): void {
  if (RESERVED_SEGMENTS.has(handle.toLowerCase()) || OUR_NAMES.has(handle.toLowerCase())) {
    throw new DomainError('invalid_request', `The handle ${handle} is reserved. Choose another.`);
  }
  if (HANDLE.test(handle) && !RESERVED.test(handle)) return;
  throw new DomainError(
    'invalid_request',
    'A handle must be 1 to 100 letters, digits, dots, hyphens or underscores, must begin and end with a letter or digit, and must not look like an id.',
  );
}

/**
 * Returns the handle_taken error. It means that another account or creator has the handle, or that it is the handle of
 * an owner of listed repositories whose host account the caller has not proved.
 */
export function handleTaken(handle: string): DomainError {
  return new DomainError(
    'handle_taken',
    `The handle ${handle} belongs to an account, creator or repository owner here. Choose another, or prove that account first.`,
  );
}

/** Throws handle_taken if an account, a creator or an owner of a listed repository has the handle. */
export async function requireFreeHandle(connection: Connection, handle: string): Promise<void> {
  if (await isHandleTaken(connection, handle)) throw handleTaken(handle);
}
