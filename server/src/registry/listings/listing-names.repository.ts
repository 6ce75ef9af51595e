import type { Connection } from '../../database/connect.ts';

export interface Bearer {
  label: string;
  kind: 'identity' | 'former';
  id: string;
}

// A batch of labels in one reading.
const LOAD_BEARERS = `SELECT a.label, a.kind, a.subject_id AS id FROM subject_alias a JOIN listing l ON l.subject_id = a.subject_id
  WHERE a.label = ANY ($1::text[]) AND a.subject_type IN ('agent', 'skill') AND a.kind IN ('identity', 'former')`;

export async function loadBearers(
  connection: Connection,
  labels: readonly string[],
): Promise<Map<string, Bearer[]>> {
  const rows = await connection.query<Bearer>(LOAD_BEARERS, [labels]);
  const bearers = new Map<string, Bearer[]>();
  for (const row of rows) bearers.set(row.label, [...(bearers.get(row.label) ?? []), row]);
  return bearers;
}
