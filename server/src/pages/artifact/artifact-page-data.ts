import type { ListedAgent } from '../../directory/lists/link-agents.ts';
import type { PageLink } from '../../subjects/page-link.ts';
import type { ResolvedSubject } from '../../subjects/resolve-subject.ts';
import type { CreatorCard } from '../creator/creator-page-data.ts';
import type { ShownGroup } from '../relations/page-relations.ts';
import type { ScoreDetail } from '../score/score-detail.ts';

/** An agent or skill inside a listed repository. */
export interface ArtifactPage {
  subject: ResolvedSubject;
  description: string;
  path: string | null;
  /** The listing that holds it. */
  home: PageLink;
  repositoryUrl: string;
  /** Of the repository. */
  host: string;
  npmPackage: string | null;
  pypiPackage: string | null;
  /** What is said of its file. */
  relations: ShownGroup[];
  creator: CreatorCard;
  score: ScoreDetail | null;
  /** Listings that share words of its name and tags of its repository, the likest first. */
  similar: ListedAgent[];
}
