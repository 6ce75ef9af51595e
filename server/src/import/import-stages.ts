import type { ParsedRow } from './row-kinds.ts';

/**
 * What is done one after the other. A creator is written once, whole, before the listings that are found by its names; an
 * account's owner is a creator. The id on the host decides who owns a name, so listings and accounts that know theirs
 * come before the others; subjects whose facts changed after they were scored come last.
 */
export const STAGES = [
  'creator',
  'repository_id',
  'listing',
  'account_id',
  'account',
  'artifact',
  'relation',
  'score',
] as const;
/** One of the stages. */
export type Stage = (typeof STAGES)[number];
/** A stage that stores rows. */
export type RowStage = Exclude<Stage, 'score'>;

/** How a person reads them. */
export const STAGE_LABELS: Readonly<Record<Stage, string>> = {
  repository_id: 'listings with a repository id',
  listing: 'listings',
  creator: 'creators',
  account_id: 'accounts with an id of their platform',
  account: 'accounts',
  artifact: 'artifacts',
  relation: 'relations',
  score: 'scores of changed facts',
};

/** The stage that stores a row. */
export function stageOf(parsed: ParsedRow): RowStage {
  if (parsed.kind === 'account') return parsed.row.platformAccountId === null ? 'account' : 'account_id';
  if (parsed.kind !== 'listing') return parsed.kind;
  return parsed.row.hostRepositoryId === null ? 'listing' : 'repository_id';
}
