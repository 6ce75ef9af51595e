import type { Operation } from '../plans/plans.ts';
import { REPOSITORY_TYPES, type SubjectType } from '../subjects/subject-type.ts';

/** What a metered operation needs: the scope that allows it, and the types that its subject may be of. */
export interface MeteredOperation {
  readonly scope: string;
  readonly subjectTypes: readonly SubjectType[];
  /** Its result tells where the subject comes from. */
  readonly lineage: boolean;
}

function scoreOf(type: SubjectType): MeteredOperation {
  return { scope: 'scores:read', subjectTypes: [type], lineage: false };
}

/** The six metered operations. */
export const METERED_OPERATIONS: Readonly<Record<Operation, MeteredOperation>> = {
  agent_score: scoreOf('agent'),
  skill_score: scoreOf('skill'),
  creator_score: scoreOf('creator'),
  social_account_score: scoreOf('social_account'),
  messenger_account_score: scoreOf('messaging_account'),
  agent_skill_lineage: { scope: 'lineage:read', subjectTypes: REPOSITORY_TYPES, lineage: true },
};
