/** Facts by which a container is recognised: a repository that collects servers, skills, agents or plugins. */
export interface ContainerFacts {
  /** Repository in the form `owner/name`, or its URL. */
  repository: string;
  kind: string;
  description: string;
  /** Number of known parts: servers, skills, agents and plugins inside the repository. */
  parts: number;
}

/** Evidence that a repository is a container. */
export type ContainerReason = 'name' | 'description' | 'parts';

const THINGS = '(?:servers|skills|agents|subagents|plugins|commands|workflows)';
const COLLECTION =
  '(?:collection|catalogue?|library|directory|marketplace|registry|set|hub|list|monorepo|repository|suite|pack)';

/** Matches names that show a container by themselves: a curated list, a marketplace, or several things of one kind. */
const NAMES: readonly RegExp[] = [
  /(?:^|[-_.])awesome[-_.]?[a-z]/i,
  /(?:^|[-_.])marketplaces?(?:[-_.]|$)/i,
  /(?:^|[-_.])(?:servers|skills|subagents|plugins)(?:[-_.]collection)?$/i,
];

/**
 * Matches names that show a container only if the repository has several known parts, because frameworks have such
 * names too.
 */
const NAMES_WITH_PARTS: readonly RegExp[] = [
  /(?:servers|skills|plugins)$/i,
  /(?:^|[-_.])(?:agents|collection|registry|catalogue?|library|hub)$/i,
];

const DESCRIPTIONS: readonly RegExp[] = [
  /\bcurated (?:list|collection)\b/i,
  new RegExp(`\\b${COLLECTION} (?:of|for|with) (?:[\\p{L}\\p{N}'’+,.-]+ ){0,6}${THINGS}\\b`, 'iu'),
  /\b(?:plugin|skill|agent|server)s? (?:marketplace|collection|catalogue?|library|hub|registry)\b/i,
  new RegExp(`\\b\\d[\\d,.]*\\+? (?:[\\p{L}\\p{N}'’-]+ ){0,4}${THINGS}\\b`, 'iu'),
];

/**
 * Minimum number of parts that makes a repository a container, whatever its name, unless its kind is `agent`. With
 * fewer, it may be one product.
 */
const MANY_PARTS = 20;
const SEVERAL_PARTS = 2;

/**
 * Returns the evidence that a repository is a container; null if it is not a container. The score of a container is
 * about the repository; each part has its own score. A product of kind `agent` with many parts is not a container,
 * unless its name shows one.
 */
export function containerReason({
  repository,
  kind,
  description,
  parts,
}: ContainerFacts): ContainerReason | null {
  const name = repository.split('/').at(-1) ?? '';
  const says = (rules: readonly RegExp[], text: string) => rules.some((rule) => rule.test(text));
  if (says(NAMES, name)) return 'name';
  if (parts >= SEVERAL_PARTS && says(NAMES_WITH_PARTS, name)) return 'name';
  if (kind !== 'agent' && parts >= SEVERAL_PARTS && says(DESCRIPTIONS, description)) return 'description';
  return kind !== 'agent' && parts >= MANY_PARTS ? 'parts' : null;
}

/**
 * Matches descriptions of a single thing, such as "A server that provides time conversion" and "Use this skill when …".
 */
const ABOUT_ONE: readonly RegExp[] = [
  /^(?:an?|the|this) [^.]{0,60}?\b(?:server|skill|plugin|agent) (?:that|which|for|to|should|must|provides|enables)\b/i,
  /\buse (?:this skill )?when\b/i,
];

/**
 * Returns the description of a repository. Returns an empty text if the name shows a container, but the description is
 * of a single part. The next reading of the repository from its host then fills in its own description.
 */
export function ownDescription(facts: ContainerFacts): string {
  const { description } = facts;
  const isOfPart = containerReason({ ...facts, description: '' }) === 'name';
  return isOfPart && ABOUT_ONE.some((pattern) => pattern.test(description)) ? '' : description;
}
