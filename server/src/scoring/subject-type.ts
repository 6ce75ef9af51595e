/** The five types of subjects that can be scored. Scores of different types are never substituted for one another. */
export const SUBJECT_TYPES = ['agent', 'skill', 'creator', 'social_account', 'messaging_account'] as const;

export type SubjectType = (typeof SUBJECT_TYPES)[number];

/** Types of subjects that are in a repository. Only these may be named in a lineage request. */
export const REPOSITORY_TYPES = ['agent', 'skill'] as const satisfies readonly SubjectType[];

/** Returns the noun for a subject of these types: the type in words if there is only one, otherwise `subject`. */
export function describeTypes(types: readonly SubjectType[]): string {
  const [only] = types;
  return types.length === 1 && only ? only.replace('_', ' ') : 'subject';
}
