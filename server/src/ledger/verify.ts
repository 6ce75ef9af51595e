import type { Connection } from '../database/connect.ts';
import { CHECKS, COUNTS } from './verify.sql.ts';

/** One broken promise of the ledger: which, and the bucket, run or key that breaks it. */
interface BadRow {
  problem: string;
  id: string;
}

export interface LedgerReport {
  buckets: number;
  runs: number;
  entries: number;
  bad: BadRow[];
}

/** Checks the ledger's invariants in one snapshot; `bad` is empty when all hold. Reads only. */
export async function verifyLedger(connection: Connection): Promise<LedgerReport> {
  const [counts] = await connection.query<{ buckets: number; runs: number; entries: number }>(COUNTS);
  const bad = await connection.query<BadRow>(CHECKS);
  return { buckets: counts?.buckets ?? 0, runs: counts?.runs ?? 0, entries: counts?.entries ?? 0, bad };
}
