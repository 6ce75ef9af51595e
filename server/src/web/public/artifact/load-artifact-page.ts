import { loadPublicPaths } from '../../../catalog/subjects/load-public-paths.ts';
import type { PublicUrls } from '../../../catalog/subjects/public-path.ts';
import type { ResolvedSubject } from '../../../catalog/subjects/resolve-subject.ts';
import { findArtifact } from '../../../directory/agents/get-agent.ts';
import { creatorOf, linkEntries, linkedByEntries, toSubject } from '../../../directory/lists/link-agents.ts';
import { loadFileRelations } from '../../../directory/relations/relations.ts';
import { findSimilar } from '../../../directory/similar/find-similar.ts';
import type { Connection } from '../../../platform/database/connect.ts';
import { toCreatorCard } from '../creator/creator.queries.ts';
import { linkedSubjects, linkRelations } from '../relations/linked-relations.ts';
import type { ArtifactPage } from './artifact.page.tsx';
import { loadArtifactDetails } from './artifact.queries.ts';

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
