import type { Connection } from '../database/connect.ts';
import { violates } from '../database/database-errors.ts';
import { lockLineage } from '../directory/lineage-edges.ts';
import { lockSubjects, refreshSearch } from '../directory/save-listings-write.ts';
import { DomainError } from '../domain-error.ts';
import { handleLabel } from '../subjects/labels.ts';
import { DIRECTORY_HOST } from '../subjects/naming.ts';
import { refreshCreatorAliases } from './creator-names.ts';
import { isBorneByOthers, renameAccount } from './take-handle.repository.ts';
import { findAccountCreator, listingsOfOwner, subjectsConcerned } from './take-over.repository.ts';

const HANDLE = /^[A-Za-z0-9](?:[A-Za-z0-9._-]{0,98}[A-Za-z0-9])?$/;

/**
 * Gives an account another handle: a free one, or one that the registry bears and the account has taken over. The old
 * handle still leads to its creator until somebody else bears it. The caller is in a transaction. Throws invalid_request,
 * handle_taken.
 */
export async function takeHandle(connection: Connection, accountId: string, handle: string): Promise<void> {
  if (!HANDLE.test(handle)) {
    throw new DomainError(
      'invalid_request',
      'A handle is 1 to 100 letters, digits, dots, hyphens or underscores, and begins and ends with a letter or digit.',
    );
  }
  await lockLineage(connection);
  if (await isBorneByOthers(connection, accountId, handle)) throw handleTaken(handle);
  const creatorId = await findAccountCreator(connection, accountId);
  if (creatorId !== null) await lockSubjects(connection, await subjectsConcerned(connection, [creatorId]));
  const before = await renameAccount(connection, accountId, handle).catch((error: unknown) => {
    throw violates(error, 'account_handle') ? handleTaken(handle) : error;
  });
  if (creatorId === null) return;
  const former = { label: handleLabel(DIRECTORY_HOST, before), kind: 'former' } as const;
  await refreshCreatorAliases(connection, [creatorId], new Map([[creatorId, [former]]]));
  await refreshSearch(connection, await listingsOfOwner(connection, creatorId, null));
}

function handleTaken(handle: string): DomainError {
  return new DomainError(
    'handle_taken',
    `The handle ${handle} is borne by an account or creator here. Choose another, or prove that account first.`,
  );
}
