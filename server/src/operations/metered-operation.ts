import type { Operation } from '../plans/plans.ts';
import type { SubjectType } from '../subjects/subject-type.ts';

/** What each metered operation needs: the scope that allows it and the type of subject it is about. */
export const METERED_OPERATIONS: Readonly<
  Record<Operation, { scope: string; subjectType: SubjectType; built: boolean }>
> = {
  agent_score: { scope: 'scores:read', subjectType: 'agent', built: true },
  skill_score: { scope: 'scores:read', subjectType: 'skill', built: true },
  creator_score: { scope: 'scores:read', subjectType: 'creator', built: false },
  social_account_score: { scope: 'scores:read', subjectType: 'social_account', built: false },
  messenger_account_score: { scope: 'scores:read', subjectType: 'messaging_account', built: false },
  agent_skill_lineage: { scope: 'lineage:read', subjectType: 'agent', built: false },
};
