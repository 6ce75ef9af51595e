import type { Operation } from '../plans/plans.ts';
import type { FactsKind } from '../scoring/facts/facts-kind.ts';
import { FACTS_OF } from '../scoring/facts/load-facts.ts';
import { REPOSITORY_TYPES, type SubjectType } from '../subjects/subject-type.ts';

/** What a metered operation needs: the scope that allows it, and the types that its subject may be of. */
export interface MeteredOperation {
  readonly scope: string;
  readonly subjectTypes: readonly SubjectType[];
  /** What subjects of all of them are scored by. */
  readonly facts: FactsKind<{ id: string }>;
  /** Its result tells where the subject comes from. */
  readonly lineage: boolean;
}

function scoreOf(type: SubjectType): MeteredOperation {
  return { scope: 'scores:read', subjectTypes: [type], facts: FACTS_OF[type], lineage: false };
}

/** The six metered operations. */
export const METERED_OPERATIONS: Readonly<Record<Operation, MeteredOperation>> = {
  agent_score: scoreOf('agent'),
  skill_score: scoreOf('skill'),
  creator_score: scoreOf('creator'),
  social_account_score: scoreOf('social_account'),
  messenger_account_score: scoreOf('messaging_account'),
  agent_skill_lineage: {
    scope: 'lineage:read',
    subjectTypes: REPOSITORY_TYPES,
    facts: FACTS_OF.agent,
    lineage: true,
  },
};
