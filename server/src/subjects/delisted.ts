import type { Connection } from '../database/connect.ts';
import { DomainError } from '../domain-error.ts';
import { type DelistedSubject, findDelisted } from './delisted-subject.repository.ts';
import type { AskedLabel } from './found-subject.condition.ts';
import { labelsOf } from './labels-of.ts';
import type { Naming } from './naming.ts';
import { REPOSITORY_TYPES } from './subject-type.ts';

/** What is said of a repository that an operator took out of the directory. */
export type Delisted = Pick<DelistedSubject, 'host' | 'repository' | 'day' | 'reason'>;

/** Which repository was taken out, when and why, as one sentence. */
export function describeDelisting({ host, repository, day, reason }: Delisted): string {
  const stop = /[.!?]$/.test(reason) ? '' : '.';
  return `${host}/${repository} was removed by the operator of this directory on ${day}: ${reason}${stop}`;
}

/** The failure of a request for a delisted subject. */
function gone(delisted: Delisted): DomainError {
  return new DomainError('gone', describeDelisting(delisted));
}

/** The delisted listings that a text names by their best label; one that is inside a repository is none. */
export async function findDelistedListings(
  connection: Connection,
  text: string,
  naming: Naming,
): Promise<DelistedSubject[]> {
  const asked = REPOSITORY_TYPES.flatMap((type) =>
    labelsOf(text, type, naming).map((label, place) => ({ label, type, place })),
  );
  const found = asked.length === 0 ? [] : await findDelisted(connection, asked);
  return found.filter(({ agentId }) => agentId !== null);
}

/** That failure where one of the labels led to a delisted subject, else null. */
export async function findGone(
  connection: Connection,
  asked: readonly AskedLabel[],
): Promise<DomainError | null> {
  if (asked.length === 0) return null;
  const [first] = await findDelisted(connection, asked);
  return first ? gone(first) : null;
}
