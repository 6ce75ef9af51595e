/** The five kinds of thing that can be scored. A score of one never stands in for another. */
export const SUBJECT_TYPES = ['agent', 'skill', 'creator', 'social_account', 'messaging_account'] as const;

export type SubjectType = (typeof SUBJECT_TYPES)[number];

/** The types that live in a repository: what a lineage request may name. */
export const REPOSITORY_TYPES = ['agent', 'skill'] as const satisfies readonly SubjectType[];

/** What a sentence calls a subject that may be of these types. */
export function describeTypes(types: readonly SubjectType[]): string {
  const [only] = types;
  return types.length === 1 && only ? only.replace('_', ' ') : 'subject';
}
