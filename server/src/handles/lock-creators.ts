import type { Connection } from '../database/connect.ts';
import { lockSubjects } from '../registry/listings/write-listings.ts';
import { subjectsConcerned } from './ownership.repository.ts';

/** Locks all that a change of these creators concerns, in one order: them, their listings and the children of those. */
export async function lockCreators(connection: Connection, creatorIds: readonly string[]): Promise<void> {
  await lockSubjects(connection, await subjectsConcerned(connection, creatorIds));
}
