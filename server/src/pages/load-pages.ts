import type { Connection } from '../database/connect.ts';
import { AGENT_COLUMNS, AGENT_TABLES, type AgentRecord } from '../directory/agent-record.ts';
import { getAgentLineage, type LineageEntry } from '../directory/get-agent-lineage.ts';
import { getIdentity } from '../identity/get-identity.ts';
import { loadPublicPaths } from '../subjects/load-public-paths.ts';
import type { Naming } from '../subjects/naming.ts';
import type { ResolvedSubject } from '../subjects/resolve-subject.ts';
import { loadScoreDetail } from './load-score-detail.ts';
import type { ArtifactPage, CreatorPage, ListedAgent, ListingPage, PageLink, Relative } from './page-data.ts';

/** What a page shows of a family, a repository or a creator at most; the API has the rest. */
const SHOWN_DESCENDANTS = 50;
const SHOWN_ARTIFACTS = 100;
const SHOWN_LISTINGS = 100;

/** Everything the page of a listing shows; `agentId` is the subject's. Reads only. */
export async function loadListingPage(
  connection: Connection,
  subject: ResolvedSubject & { agentId: string },
  naming: Naming,
): Promise<ListingPage> {
  const lineage = await getAgentLineage(connection, subject.agentId);
  const { root: record, rootEdge: own, ancestors } = lineage;
  const descendants = lineage.descendants.slice(0, SHOWN_DESCENDANTS);
  const relatives = [...ancestors, ...descendants].map((entry) => entry.record);
  const paths = await loadPublicPaths(connection, [...relatives.map(toSubject), creatorOf(record)], naming);
  const toRelative = (entry: LineageEntry): Relative => ({
    entry,
    link: { path: paths.get(entry.record.subjectId) ?? '/', text: entry.record.name },
  });
  const [about] = await connection.query<{ homepage: string | null; license: string | null }>(
    'SELECT homepage, license FROM listing WHERE subject_id = $1',
    [subject.id],
  );
  return {
    kind: 'listing',
    subject,
    record,
    homepage: about?.homepage ?? null,
    license: about?.license ?? null,
    creator: creatorLink(record, paths),
    score: await loadScoreDetail(connection, subject.id),
    own,
    ancestors: ancestors.map(toRelative),
    descendants: descendants.map(toRelative),
    moreDescendants: lineage.descendants.length > descendants.length || lineage.truncated,
    artifacts: await loadArtifacts(connection, subject.id, naming),
  };
}

/** Everything the page of an artifact shows, or null where there is none. Reads only. */
export async function loadArtifactPage(
  connection: Connection,
  subject: ResolvedSubject,
  naming: Naming,
): Promise<ArtifactPage | null> {
  const [artifact] = await connection.query<AgentRecord & { about: string; path: string | null }>(
    `SELECT a.description AS about, a.path, ${AGENT_COLUMNS}
     FROM artifact a JOIN (${AGENT_TABLES}) ON l.subject_id = a.listing_id WHERE a.subject_id = $1`,
    [subject.id],
  );
  if (!artifact) return null;
  const paths = await loadPublicPaths(connection, [toSubject(artifact), creatorOf(artifact)], naming);
  return {
    kind: 'artifact',
    subject,
    description: artifact.about,
    path: artifact.path,
    home: { path: paths.get(artifact.subjectId) ?? '/', text: artifact.name },
    repositoryUrl: artifact.repositoryUrl,
    creator: creatorLink(artifact, paths),
    score: await loadScoreDetail(connection, subject.id),
  };
}

/** Everything the page of a creator shows; throws not_found. */
export async function loadCreatorPage(
  connection: Connection,
  handle: string,
  naming: Naming,
): Promise<CreatorPage> {
  const identity = await getIdentity(connection, handle, naming);
  const records = await connection.query<AgentRecord>(
    `SELECT ${AGENT_COLUMNS} FROM ${AGENT_TABLES} WHERE l.creator_id = $1
     ORDER BY l.trust DESC NULLS LAST, l.confidence DESC NULLS LAST, l.agent_id LIMIT ${SHOWN_LISTINGS}`,
    [identity.id],
  );
  const score = await loadScoreDetail(connection, identity.id);
  return { identity, score, listings: await linkAgents(connection, records, naming) };
}

/** Entries of a list with the addresses of their pages and their creators' pages. */
export async function linkAgents(
  connection: Connection,
  records: readonly AgentRecord[],
  naming: Naming,
): Promise<ListedAgent[]> {
  const subjects = records.flatMap((record) => [toSubject(record), creatorOf(record)]);
  const paths = await loadPublicPaths(connection, subjects, naming);
  return records.map((record) => ({
    record,
    path: paths.get(record.subjectId) ?? '/',
    creator: creatorLink(record, paths),
  }));
}

async function loadArtifacts(
  connection: Connection,
  listingId: string,
  naming: Naming,
): Promise<ListingPage['artifacts']> {
  const rows = await connection.query<{
    id: string;
    type: 'agent' | 'skill';
    name: string;
    description: string;
  }>(
    `SELECT subject_id AS id, type, name, description FROM artifact WHERE listing_id = $1
     ORDER BY lower(name), subject_id LIMIT ${SHOWN_ARTIFACTS}`,
    [listingId],
  );
  const paths = await loadPublicPaths(connection, rows, naming);
  return rows.map(({ id, name, description }) => ({ path: paths.get(id) ?? '/', text: name, description }));
}

function toSubject({ subjectId, type }: AgentRecord) {
  return { id: subjectId, type };
}

function creatorOf({ creatorId }: AgentRecord) {
  return { id: creatorId, type: 'creator' as const };
}

function creatorLink(record: AgentRecord, paths: ReadonlyMap<string, string>): PageLink {
  return {
    path: paths.get(record.creatorId) ?? '/',
    text: record.creatorDisplayName ?? record.creatorHandle,
  };
}
