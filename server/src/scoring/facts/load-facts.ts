import type { Connection } from '../../database/connect.ts';
import type { SubjectType } from '../../subjects/subject-type.ts';
import { findTypes } from '../subject-types.repository.ts';
import { loadAccountFacts } from './account-facts.repository.ts';
import { loadCreatorFacts } from './creator-facts.repository.ts';
import { loadRepositoryFacts } from './repository-facts.repository.ts';
import type { SubjectFacts } from './subject-facts.ts';

const LOADERS = {
  agent: loadRepositoryFacts,
  skill: loadRepositoryFacts,
  creator: loadCreatorFacts,
  social_account: loadAccountFacts,
  messaging_account: loadAccountFacts,
} as const;

/** The facts of subjects of one type, by subject id, in one statement and as of one moment. */
export async function loadFactsOfType(
  connection: Connection,
  type: SubjectType,
  subjectIds: readonly string[],
): Promise<Map<string, SubjectFacts>> {
  return LOADERS[type](connection, subjectIds);
}

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
  for (const load of new Set(Object.values(LOADERS))) {
    const ids = subjects.filter(({ type }) => LOADERS[type] === load).map(({ id }) => id);
    if (ids.length === 0) continue;
    for (const [id, facts] of await load(connection, ids)) loaded.set(id, facts);
  }
  return loaded;
}
