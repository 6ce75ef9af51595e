import { loadPublicPaths } from '../../../catalog/subjects/load-public-paths.ts';
import type { PublicUrls } from '../../../catalog/subjects/public-path.ts';
import type { ResolvedSubject } from '../../../catalog/subjects/resolve-subject.ts';
import { findArtifact } from '../../../directory/agents/get-agent.ts';
import { creatorOf, linkAgents, toSubject } from '../../../directory/lists/link-agents.ts';
import { loadFileRelations } from '../../../directory/relations/relations.ts';
import { findSimilar } from '../../../directory/similar/find-similar.ts';
import type { Connection } from '../../../platform/database/connect.ts';
import { loadCreatorCard } from '../creator/creator.queries.ts';
import { linkedSubjects, linkRelations } from '../relations/linked-relations.ts';
import { loadScoreDetail } from '../score/score-detail.queries.ts';
import type { ArtifactPage } from './artifact.page.tsx';

const MAX_SIMILAR = 5;

/** Loads the data of an artifact's page, or null if there is no such artifact. Only reads. */
export async function loadArtifactPage(
  connection: Connection,
  subject: ResolvedSubject,
  publicUrls: PublicUrls,
): Promise<ArtifactPage | null> {
  const artifact = await findArtifact(connection, subject.id);
  if (!artifact) return null;
  const { about, path, listing, host, npmPackage, pypiPackage } = artifact;
  const relations = await loadFileRelations(connection, listing.subjectId, path);
  const linked = [toSubject(listing), creatorOf(listing), ...linkedSubjects(relations)];
  const paths = await loadPublicPaths(connection, linked, publicUrls);
  // Use the artifact's own name, with the tags and category of its repository.
  const similar = await findSimilar(connection, { ...listing, name: subject.name }, MAX_SIMILAR);
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
    creator: await loadCreatorCard(connection, listing.creatorId, paths.get(listing.creatorId) ?? '/'),
    score: await loadScoreDetail(connection, subject.id),
    similar: await linkAgents(connection, similar, publicUrls),
  };
}
