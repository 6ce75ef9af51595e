import type { AgentQuery, components } from '../src/index.ts';

type Schemas = components['schemas'];
type Words<Word> = readonly Word[];

/** Enum values of the contract, for completion and help only; the service validates. */
export const TIERS: Words<Schemas['Tier']> = ['high', 'medium', 'low'];
export const VERDICTS: Words<Schemas['VerdictState']> = [
  'verified',
  'well_evidenced',
  'little_evidence',
  'warning',
];
export const CATEGORIES: Words<Schemas['Category']> = [
  'coding',
  'research',
  'productivity',
  'data',
  'automation',
  'creative',
  'infrastructure',
  'communication',
  'other',
];
export const SUBJECT_TYPES: Words<Schemas['SubjectType']> = [
  'agent',
  'skill',
  'creator',
  'social_account',
  'messaging_account',
];
export const OPERATIONS: Words<Schemas['Operation']> = [
  'agent_score',
  'skill_score',
  'creator_score',
  'social_account_score',
  'messenger_account_score',
  'agent_skill_lineage',
];
export const CHANGE_KINDS: Words<Schemas['ChangeKind']> = [
  'listing',
  'score',
  'verdict',
  'advisory',
  'removal',
  'standing',
];
export const RECEIPT_STATES: Words<Schemas['ReceiptState']> = ['reserved', 'settled', 'failed'];
export const SORTS: Words<NonNullable<AgentQuery['sort']>> = [
  'score_desc',
  'score_asc',
  'name',
  'stars',
  'updated',
  'newest',
  'relevance',
];
export const LISTING_TYPES: Words<Schemas['ListingType']> = ['agent', 'skill'];

/** Operation that scores a subject, by the subject's type. */
export const SCORE_OF: Readonly<Record<Schemas['SubjectType'], Schemas['Operation']>> = {
  agent: 'agent_score',
  skill: 'skill_score',
  creator: 'creator_score',
  social_account: 'social_account_score',
  messaging_account: 'messenger_account_score',
};
