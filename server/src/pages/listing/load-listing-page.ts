import type { Connection } from '../../database/connect.ts';
import { AGENT_COLUMNS, AGENT_TABLES, type AgentRecord } from '../../directory/agent-record.ts';
import { getAgentLineage, type LineageEntry } from '../../directory/get-agent-lineage.ts';
import { loadPublicPaths } from '../../subjects/load-public-paths.ts';
import type { Naming } from '../../subjects/naming.ts';
import type { ResolvedSubject } from '../../subjects/resolve-subject.ts';
import { loadCreatorCard } from '../creator/load-creator-card.ts';
import { creatorOf, toSubject } from '../link-agents.ts';
import type { ArtifactPage, ListingPage, Relative } from '../page-data.ts';
import { loadScoreDetail } from '../score/score-detail.repository.ts';
import { loadFormerCreators } from './load-former-creators.ts';

/** What a page shows of a family or a repository at most; the API has the rest. */
const SHOWN_DESCENDANTS = 50;
const SHOWN_ARTIFACTS = 100;

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
  const creatorPath = paths.get(record.creatorId) ?? '/';
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
    creator: await loadCreatorCard(connection, record.creatorId, creatorPath),
    formerCreators: await loadFormerCreators(connection, subject.id, naming),
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
    creator: await loadCreatorCard(connection, artifact.creatorId, paths.get(artifact.creatorId) ?? '/'),
    score: await loadScoreDetail(connection, subject.id),
  };
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
