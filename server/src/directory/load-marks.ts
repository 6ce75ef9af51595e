import type { Connection } from '../database/connect.ts';
import { type ListingMarks, loadListingMarks } from '../registry/relations/listing-marks.ts';
import type { AgentRecord } from './agent-record.ts';

/** What marks these records as old names or copies, by subject; asks nothing where no relation speaks of any of them. */
export async function loadMarks(
  connection: Connection,
  records: readonly AgentRecord[],
): Promise<Map<string, ListingMarks>> {
  const related = records.filter((record) => record.related).map(({ subjectId }) => subjectId);
  return loadListingMarks(connection, related);
}
