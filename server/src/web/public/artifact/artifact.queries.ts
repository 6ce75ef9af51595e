import type { PublicUrls } from '../../../catalog/subjects/public-path.ts';
import type { ResolvedSubject } from '../../../catalog/subjects/resolve-subject.ts';
import type { AgentRecord } from '../../../directory/agents/agent-record.ts';
import { findArtifact } from '../../../directory/agents/get-agent.ts';
import { creatorOf, toSubject } from '../../../directory/lists/link-agents.ts';
import { FIRST_PAGE, relationsOfFile } from '../../../directory/relations/relations.fragment.ts';
import type { RelationRow } from '../../../directory/relations/relations.queries.ts';
import { spellingsOf, toRelationGroups } from '../../../directory/relations/relations.ts';
import { loadSimilar, rankSimilar } from '../../../directory/similar/find-similar.ts';
import type { Connection } from '../../../platform/database/connect.ts';
import { queryTimeDependent } from '../../../platform/database/tracked-dependencies.ts';
import {
  type CreatorRow,
  creatorCardOf,
  proofsStableForMs,
  toCreatorCard,
} from '../creator/creator.queries.ts';
import { linkedSubjects, linkRelations } from '../relations/linked-relations.ts';
import { type ScoreDetail, scoreDetailOf, scoreStableForMs } from '../score/score-detail.queries.ts';
import type { ArtifactPage } from './artifact.page.tsx';

/** An artifact's score and relations, and the creator of its repository. */
interface ArtifactDetails {
  creator: CreatorRow;
  /** Null without a confirmed score. */
  score: ScoreDetail | null;
  /** Relations of the artifact's file: the first page of each kind. */
  relations: RelationRow[];
}

const RELATIONS = relationsOfFile(`SELECT 0 AS n, $3::uuid AS id, $4::text[] AS paths, ${FIRST_PAGE}`);

/** Statement that reads all details of an artifact. One statement instead of three saves round trips. */
const DETAILS = `SELECT (SELECT row_to_json(score) FROM (${scoreDetailOf('$1')}) AS score) AS score, row_to_json(creator) AS creator,
    (SELECT coalesce(json_agg(relation), '[]') FROM (${RELATIONS}) AS relation) AS relations
  FROM (${creatorCardOf('$2')}) AS creator`;

/** Loads the details of an artifact. Throws if the creator of its repository no longer exists. */
async function loadArtifactDetails(
  connection: Connection,
  artifactId: string,
  path: string | null,
  { creatorId, subjectId: listingId }: AgentRecord,
): Promise<ArtifactDetails> {
  const [details] = await queryTimeDependent<ArtifactDetails>(
    connection,
    DETAILS,
    [artifactId, creatorId, listingId, path === null ? [] : spellingsOf(path)],
    ([found]) =>
      found
        ? Math.min(scoreStableForMs(found.score), proofsStableForMs(found.creator.proved))
        : Number.POSITIVE_INFINITY,
  );
  if (!details) throw new Error(`the creator ${creatorId} of an artifact's repository is gone`);
  return details;
}

/**
 * Loads the data of an artifact's page; returns null if there is no such artifact. Sends five statements. The first reads
 * the artifact and its repository's listing. Then one reads the details, while two others rank similar listings. The last
 * reads the similar listings and the paths of all pages that the page links to.
 */
export async function loadArtifactPage(
  connection: Connection,
  subject: ResolvedSubject,
  publicUrls: PublicUrls,
): Promise<ArtifactPage | null> {
  const artifact = await findArtifact(connection, subject.id);
  if (!artifact) return null;
  const { about, path, listing, host, npmPackage, pypiPackage } = artifact;
  const [{ creator, score, relations: rows }, ranked] = await Promise.all([
    loadArtifactDetails(connection, subject.id, path, listing),
    // Search for the artifact's own name and the tags of its repository.
    rankSimilar(connection, { ...listing, name: subject.name }),
  ]);
  const relations = toRelationGroups(rows);
  const linked = [toSubject(listing), creatorOf(listing), ...linkedSubjects(relations)];
  const { similar, paths } = await loadSimilar(connection, ranked, linked, publicUrls);
  return {
    subject,
    description: about,
    path,
    relations: linkRelations(relations, paths, subject.publicPath),
    home: { path: paths.get(listing.subjectId) ?? '/', text: listing.name },
    repositoryUrl: listing.repositoryUrl,
    host,
    npmPackage,
    pypiPackage,
    creator: toCreatorCard(creator, paths.get(listing.creatorId) ?? '/'),
    score,
    similar,
  };
}
