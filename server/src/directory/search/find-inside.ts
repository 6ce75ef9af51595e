import { stemOf } from '../../catalog/listings/search-words.ts';
import type { Connection } from '../../platform/database/connect.ts';
import type { AgentRecord } from '../agents/agent-record.ts';
import { explainMatch, type MatchExplanation } from './explain-match.ts';
import { findArtifactTexts } from './find-inside.queries.ts';
import type { SearchTerm } from './search-term.ts';

/** Explains why a listing is in a list, by its record and by texts of artifacts inside its repository. */
export function explainRecord(
  record: AgentRecord,
  terms: readonly SearchTerm[],
  inside: readonly string[] = [],
): MatchExplanation {
  const { creatorDisplayName, creatorHandle } = record;
  return explainMatch({ ...record, creatorNames: [creatorDisplayName, creatorHandle], inside }, terms);
}

/** Maximum forms of a term that are looked for. */
const MAX_FORMS = 10;

/** Finds texts of artifacts that have terms of a search which the record of their listing does not have, by listing. */
export function findInside(
  connection: Connection,
  records: readonly AgentRecord[],
  terms: readonly SearchTerm[],
): Promise<ReadonlyMap<string, readonly string[]>> {
  const asked = records.flatMap((record) => {
    const found = explainRecord(record, terms).terms;
    return terms
      .filter((_, at) => found[at]?.found.length === 0)
      .flatMap(({ word, forms }) => [[word], ...forms].slice(0, MAX_FORMS))
      .map((form) => ({ subjectId: record.subjectId, pattern: `%${form.map(stemOf).join('%')}%` }));
  });
  return findArtifactTexts(connection, asked);
}
