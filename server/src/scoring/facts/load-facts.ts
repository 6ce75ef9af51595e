import type { Connection } from '../../platform/database/connect.ts';
import type { SubjectType } from '../subject-type.ts';
import { ACCOUNT_FACTS } from './account-facts.queries.ts';
import { CREATOR_FACTS } from './creator-facts.queries.ts';
import type { FactsKind, SubjectFacts } from './facts-kind.ts';
import { REPOSITORY_FACTS } from './repository-facts.queries.ts';
import { findTypes } from './scored-subjects.queries.ts';

/** Facts that the score of each subject type needs. */
export const FACTS_BY_TYPE: Readonly<Record<SubjectType, FactsKind<{ id: string }>>> = {
  agent: REPOSITORY_FACTS,
  skill: REPOSITORY_FACTS,
  creator: CREATOR_FACTS,
  social_account: ACCOUNT_FACTS,
  messaging_account: ACCOUNT_FACTS,
};

/**
 * Loads the facts of subjects of any type, by subject id. All facts of one kind are read in one statement. Omits
 * subjects that are unknown or no longer registered.
 */
export async function loadFacts(
  connection: Connection,
  subjectIds: readonly string[],
): Promise<Map<string, SubjectFacts>> {
  if (subjectIds.length === 0) return new Map();
  const subjects = await findTypes(connection, subjectIds);
  const loaded = new Map<string, SubjectFacts>();
  for (const kind of new Set(Object.values(FACTS_BY_TYPE))) {
    const ids = subjects.filter(({ type }) => FACTS_BY_TYPE[type] === kind).map(({ id }) => id);
    if (ids.length === 0) continue;
    for (const [id, facts] of await kind.load(connection, ids)) loaded.set(id, facts);
  }
  return loaded;
}
