import type { Connection } from '../database/connect.ts';
import type { Category } from '../registry/listings/listing-row.ts';

/** A listing as the directory shows it: columns of its own row, its creator's, and the creator's confirmed score. */
export interface AgentRecord {
  subjectId: string;
  creatorId: string;
  agentId: string;
  type: 'agent' | 'skill';
  name: string;
  description: string;
  category: Category;
  tags: string[];
  repositoryUrl: string;
  stars: number | null;
  forks: number | null;
  openIssues: number | null;
  lastCommitAt: Date | null;
  verified: boolean;
  trust: number | null;
  confidence: number | null;
  tier: 'high' | 'medium' | 'low';
  /** Six decimals; null without a confirmed score. */
  scoreVersion: string | null;
  listedAt: Date;
  updatedAt: Date;
  creatorHost: string;
  creatorHandle: string;
  creatorDisplayName: string | null;
  creatorVerified: boolean;
  /** The creator's own confirmed score; read for a verified creator only. */
  creatorTrust: number | null;
  creatorConfidence: number | null;
}

/** The columns of an AgentRecord, for a SELECT from AGENT_TABLES. */
export const AGENT_COLUMNS = `l.subject_id AS "subjectId", l.creator_id AS "creatorId", l.agent_id AS "agentId", l.type, l.name, l.description, l.category, l.tags,
  l.repository_url AS "repositoryUrl", l.stars, l.forks, l.open_issues AS "openIssues",
  l.last_commit_at AS "lastCommitAt", l.verified, l.trust, l.confidence, l.tier, utc_text(l.score_version) AS "scoreVersion", l.listed_at AS "listedAt",
  l.updated_at AS "updatedAt", c.host AS "creatorHost", c.handle AS "creatorHandle",
  c.display_name AS "creatorDisplayName", c.verified AS "creatorVerified", r.trust AS "creatorTrust", r.confidence AS "creatorConfidence"`;

/** `l` is the listing, `c` its creator, `r` a verified creator's current score. */
export const AGENT_TABLES = `listing l JOIN creator c ON c.subject_id = l.creator_id
  LEFT JOIN subject s ON s.id = c.subject_id AND c.verified
  LEFT JOIN score r ON r.subject_id = s.id AND r.version = s.current_version`;

/** Records of these subjects; those without a listing are not in the answer. In no order. */
export function loadAgentRecords(
  connection: Connection,
  subjectIds: readonly string[],
): Promise<AgentRecord[]> {
  return connection.query<AgentRecord>(
    `SELECT ${AGENT_COLUMNS} FROM ${AGENT_TABLES} WHERE l.subject_id = ANY ($1::uuid[])`,
    [subjectIds],
  );
}
