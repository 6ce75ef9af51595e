import { loadPublicPaths } from '../../../catalog/subjects/load-public-paths.ts';
import type { PublicUrls } from '../../../catalog/subjects/public-path.ts';
import type { ResolvedSubject } from '../../../catalog/subjects/resolve-subject.ts';
import { findArtifact } from '../../../directory/agents/get-agent.ts';
import { creatorOf, linkEntries, linkedByEntries, toSubject } from '../../../directory/lists/link-agents.ts';
import { loadFileRelations } from '../../../directory/relations/relations.ts';
import { findSimilar } from '../../../directory/similar/find-similar.ts';
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

/** An artifact's score, and the creator of its repository. */
interface ArtifactDetails {
  creator: CreatorRow;
  /** Null without a confirmed score. */
  score: ScoreDetail | null;
}

/** One statement, because a page waits for each round trip. */
const DETAILS = `SELECT (SELECT row_to_json(score) FROM (${scoreDetailOf('$1')}) AS score) AS score, row_to_json(creator) AS creator
  FROM (${creatorCardOf('$2')}) AS creator`;

/** Loads the details of an artifact; throws if the creator is gone. */
async function loadArtifactDetails(
  connection: Connection,
  artifactId: string,
  creatorId: string,
): Promise<ArtifactDetails> {
  const [details] = await queryTimeDependent<ArtifactDetails>(
    connection,
    DETAILS,
    [artifactId, creatorId],
    ([found]) =>
      found
        ? Math.min(scoreStableForMs(found.score), proofsStableForMs(found.creator.proved))
        : Number.POSITIVE_INFINITY,
  );
  if (!details) throw new Error(`the creator ${creatorId} of an artifact's repository is gone`);
  return details;
}

/**
 * Loads the data of an artifact's page, or null if there is no such artifact. Sends seven read statements. The first one
 * reads the record of the repository's listing, and three then run at once. The last one reads the paths of everything
 * that the page links to.
 */
export async function loadArtifactPage(
  connection: Connection,
  subject: ResolvedSubject,
  publicUrls: PublicUrls,
): Promise<ArtifactPage | null> {
  const artifact = await findArtifact(connection, subject.id);
  if (!artifact) return null;
  const { about, path, listing, host, npmPackage, pypiPackage } = artifact;
  const [relations, { creator, score }, similar] = await Promise.all([
    loadFileRelations(connection, listing.subjectId, path),
    loadArtifactDetails(connection, subject.id, listing.creatorId),
    // Use the artifact's own name, with the tags and category of its repository.
    findSimilar(connection, { ...listing, name: subject.name }),
  ]);
  const linked = [
    toSubject(listing),
    creatorOf(listing),
    ...linkedSubjects(relations),
    ...linkedByEntries(similar),
  ];
  const paths = await loadPublicPaths(connection, linked, publicUrls);
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
    similar: linkEntries(similar, paths),
  };
}
