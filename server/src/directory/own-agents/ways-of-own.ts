import type { Connection } from '../../database/connect.ts';
import { waysOfScore } from '../../scoring/raise/ways-of-score.ts';
import type { WayToRaise } from '../../scoring/raise/ways-to-raise.ts';
import type { AgentRecord } from '../agent-record.ts';
import { loadScoredFacts } from './scored-facts.repository.ts';

/** What would raise the score of each of these listings, by subject id. */
export async function waysOfOwn(
  connection: Connection,
  records: readonly AgentRecord[],
): Promise<Map<string, WayToRaise[]>> {
  const ids = records.map(({ subjectId }) => subjectId);
  const scored = await loadScoredFacts(connection, ids);
  return new Map(scored.map((each) => [each.id, waysOfScore({ ...each, isPart: false })]));
}
