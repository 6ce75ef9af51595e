import type { Connection } from '../../platform/database/connect.ts';
import { DomainError } from '../../platform/errors/domain-error.ts';
import { REPOSITORY_TYPES } from '../../scoring/subject-type.ts';
import type { RankedAlias } from './found-subject.fragment.ts';
import { type DelistedSubject, findDelisted } from './found-subject.queries.ts';
import type { PublicUrls } from './public-path.ts';
import { aliasesOf } from './read-subject.ts';

/** Public facts about a repository that an operator removed from the directory. */
export type Delisted = Pick<DelistedSubject, 'host' | 'repository' | 'day' | 'reason'>;

/** Returns one sentence that says which repository was removed, when and why. */
export function describeDelisting({ host, repository, day, reason }: Delisted): string {
  const stop = /[.!?]$/.test(reason) ? '' : '.';
  return `${host}/${repository} was removed by the operator of this directory on ${day}: ${reason}${stop}`;
}

/** Creates the error for a request that names a delisted subject. */
export function goneError(delisted: Delisted): DomainError {
  return new DomainError('gone', describeDelisting(delisted));
}

/**
 * Returns the delisted listings that a text names. If several of its aliases match, only the highest-ranked counts.
 * Skips artifacts inside delisted repositories.
 */
export async function findDelistedListings(
  connection: Connection,
  text: string,
  publicUrls: PublicUrls,
): Promise<DelistedSubject[]> {
  const asked = REPOSITORY_TYPES.flatMap((type) =>
    aliasesOf(text, type, publicUrls).map((label, place) => ({ label, type, place })),
  );
  const found = asked.length === 0 ? [] : await findDelisted(connection, asked);
  return found.filter(({ agentId }) => agentId !== null);
}

/** Returns a `gone` error if one of the aliases belongs to a delisted subject; otherwise null. */
export async function findGone(
  connection: Connection,
  asked: readonly RankedAlias[],
): Promise<DomainError | null> {
  if (asked.length === 0) return null;
  const [first] = await findDelisted(connection, asked);
  return first ? goneError(first) : null;
}
