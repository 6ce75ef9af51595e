import type { ParsedRow } from './parse-row.ts';

/**
 * What is done one after the other. A repository's id decides who owns a name, so listings that know theirs come before
 * the others; subjects whose facts changed after they were scored come last.
 */
export const STAGES = ['repository_id', 'listing', 'creator', 'artifact', 'relation', 'score'] as const;
/** One of the stages. */
export type Stage = (typeof STAGES)[number];
/** A stage that stores rows. */
export type RowStage = Exclude<Stage, 'score'>;

/** How a person reads them. */
export const STAGE_LABELS: Readonly<Record<Stage, string>> = {
  repository_id: 'listings with a repository id',
  listing: 'listings',
  creator: 'creators',
  artifact: 'artifacts',
  relation: 'relations',
  score: 'scores of changed facts',
};

/** The stage that stores a row. */
export function stageOf(parsed: ParsedRow): RowStage {
  if (parsed.kind !== 'listing') return parsed.kind;
  return parsed.row.hostRepositoryId === null ? 'listing' : 'repository_id';
}
