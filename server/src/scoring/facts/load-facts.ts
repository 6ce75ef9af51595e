import type { Connection } from '../../database/connect.ts';
import type { SubjectType } from '../../subjects/subject-type.ts';
import { findTypes } from '../subject-types.repository.ts';
import { ACCOUNT_FACTS } from './account-facts.repository.ts';
import { CREATOR_FACTS } from './creator-facts.repository.ts';
import type { FactsKind } from './facts-kind.ts';
import { REPOSITORY_FACTS } from './repository-facts.repository.ts';
import type { SubjectFacts } from './subject-facts.ts';

/** The kind of facts that a subject of each type is scored by. */
export const FACTS_OF: Readonly<Record<SubjectType, FactsKind<{ id: string }>>> = {
  agent: REPOSITORY_FACTS,
  skill: REPOSITORY_FACTS,
  creator: CREATOR_FACTS,
  social_account: ACCOUNT_FACTS,
  messaging_account: ACCOUNT_FACTS,
};

/**
 * The facts of subjects of any type, by subject id; those of one type are of one moment. A subject that is unknown, or
 * that nothing in the registry stands behind any more, is not in the answer.
 */
export async function loadFacts(
  connection: Connection,
  subjectIds: readonly string[],
): Promise<Map<string, SubjectFacts>> {
  if (subjectIds.length === 0) return new Map();
  const subjects = await findTypes(connection, subjectIds);
  const loaded = new Map<string, SubjectFacts>();
  for (const kind of new Set(Object.values(FACTS_OF))) {
    const ids = subjects.filter(({ type }) => FACTS_OF[type] === kind).map(({ id }) => id);
    if (ids.length === 0) continue;
    for (const [id, facts] of await kind.load(connection, ids)) loaded.set(id, facts);
  }
  return loaded;
}
