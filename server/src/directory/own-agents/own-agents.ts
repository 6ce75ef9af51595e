import type { Connection } from '../../platform/database/connect.ts';
import { DomainError } from '../../platform/errors/domain-error.ts';
import type { Improvement } from '../../scoring/improvements/find-improvements.ts';
import { improvementsOfScore } from '../../scoring/improvements/find-improvements.ts';
import { findOwnRecords } from '../agents/agent-record.queries.ts';
import type { AgentRecord } from '../agents/agent-record.ts';
import { getAgent } from '../agents/get-agent.ts';
import { findOwnSubject, loadScoredFacts } from './refresh-score.queries.ts';

/** A page of an account's listings. */
export interface OwnAgents {
  records: AgentRecord[];
  nextCursor: string | null;
}

const CURSOR = /^AGT-[0-9A-HJKMNP-TV-Z]{8}$/;

/**
 * Lists the account's listings, newest first. Throws invalid_request for a cursor that does not contain an `AGT-` id.
 */
export async function listOwnAgents(
  connection: Connection,
  accountId: string,
  { cursor, limit }: { cursor: string | null; limit: number },
): Promise<OwnAgents> {
  const last = cursor === null ? null : readCursor(cursor);
  const found = await findOwnRecords(connection, accountId, last, limit + 1);
  const records = found.slice(0, limit);
  const next = found.length > limit ? records.at(-1) : undefined;
  return { records, nextCursor: next ? Buffer.from(next.agentId).toString('base64url') : null };
}

/**
 * Returns the account's listing with this `AGT-` id; null if there is none or another account has it. Throws gone if it
 * was delisted.
 */
export async function findOwnAgent(
  connection: Connection,
  accountId: string,
  agentId: string,
): Promise<AgentRecord | null> {
  const record = await getAgent(connection, agentId).catch((error: unknown) => {
    if (error instanceof DomainError && error.code === 'not_found') return null;
    throw error;
  });
  if (record === null) return null;
  return (await findOwnSubject(connection, accountId, agentId)) === record.subjectId ? record : null;
}

function readCursor(cursor: string): string {
  const agentId = Buffer.from(cursor, 'base64url').toString();
  if (CURSOR.test(agentId)) return agentId;
  throw new DomainError('invalid_request', 'cursor does not belong to this list. Start again without it.');
}

/**
 * Returns the actions that would raise the score of each listing, by subject id. Listings without a score have no
 * entry.
 */
export async function improvementsOfOwn(
  connection: Connection,
  records: readonly AgentRecord[],
): Promise<Map<string, Improvement[]>> {
  const ids = records.map(({ subjectId }) => subjectId);
  const scored = await loadScoredFacts(connection, ids);
  return new Map(scored.map((each) => [each.id, improvementsOfScore({ ...each, isPart: false })]));
}
