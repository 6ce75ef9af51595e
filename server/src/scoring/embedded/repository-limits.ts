import type { RepositoryFacts } from '../facts/repository-facts.ts';
import { daysSince } from './curves.ts';
import type { Limit } from './frame.ts';
import { licenseClass } from './license-class.ts';
import { METHOD } from './rs-1.0.0.ts';

/** The caps in force for a repository. What is unknown caps nothing. */
export function repositoryLimits(facts: RepositoryFacts, now: Date): Limit[] {
  const { archived, deprecated, no_license, young_repository } = METHOD.caps;
  const limits: Limit[] = [];
  if (facts.archived === true) limits.push({ cap: 'archived', limit: archived.limit });
  if (facts.deprecated === true) limits.push({ cap: 'deprecated', limit: deprecated.limit });
  if (facts.license !== null && licenseClass(facts.license.value) === 'none') {
    limits.push({ cap: 'no_license', limit: no_license.limit });
  }
  const createdAt = facts.repositoryCreatedAt;
  if (createdAt !== null && daysSince(createdAt, now) < young_repository.underDays) {
    limits.push({ cap: 'young_repository', limit: young_repository.limit });
  }
  return limits;
}
