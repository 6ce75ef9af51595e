import type { SubjectType } from '../subjects/subject-type.ts';

/** Each needs the scores of the one before: a creator's portfolio is made of their listings. */
export const STAGES: readonly { label: string; types: readonly SubjectType[] }[] = [
  { label: 'agents and skills', types: ['agent', 'skill'] },
  { label: 'creators', types: ['creator'] },
  { label: 'social and messaging accounts', types: ['social_account', 'messaging_account'] },
];

/** Every type that can be scored, in the order in which they are. */
export const ALL_TYPES: readonly SubjectType[] = STAGES.flatMap(({ types }) => types);
