import type { Connection } from '../../database/connect.ts';
import { findArtifact } from '../../directory/find-artifact.ts';
import { creatorOf, linkAgents, toSubject } from '../../directory/lists/link-agents.ts';
import { loadFileRelations } from '../../directory/relations/relations.ts';
import { findSimilar } from '../../directory/similar/find-similar.ts';
import { loadPublicPaths } from '../../subjects/load-public-paths.ts';
import type { Naming } from '../../subjects/naming.ts';
import type { ResolvedSubject } from '../../subjects/resolve-subject.ts';
import { loadCreatorCard } from '../creator/load-creator-card.ts';
import { linkRelations, subjectsOf } from '../relations/page-relations.ts';
import { loadScoreDetail } from '../score/score-detail.repository.ts';
import type { ArtifactPage } from './artifact-page-data.ts';

const SHOWN_SIMILAR = 5;

/** Everything the page of an artifact shows, or null where there is none. Reads only. */
export async function loadArtifactPage(
  connection: Connection,
  subject: ResolvedSubject,
  naming: Naming,
): Promise<ArtifactPage | null> {
  const artifact = await findArtifact(connection, subject.id);
  if (!artifact) return null;
  const { about, path, listing, host, npmPackage, pypiPackage } = artifact;
  const relations = await loadFileRelations(connection, listing.subjectId, path);
  const linked = [toSubject(listing), creatorOf(listing), ...subjectsOf(relations)];
  const paths = await loadPublicPaths(connection, linked, naming);
  // By its own name; tags and category are its repository's.
  const similar = await findSimilar(connection, { ...listing, name: subject.name }, SHOWN_SIMILAR);
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
    similar: await linkAgents(connection, similar, naming),
  };
}
