import type { PageLink, PublicUrls } from '../../../catalog/subjects/public-path.ts';
import type { ResolvedSubject } from '../../../catalog/subjects/resolve-subject.ts';
import type { SourceLinks } from '../../../directory/explanations/signal-sources.ts';
import type { ListedAgent } from '../../../directory/lists/link-agents.ts';
import { SAME_FILE } from '../../../directory/relations/relations.ts';
import { ExternalLink, ForeignText, formatCount, Moment } from '../../components/formatting.tsx';
import { Layout, renderDocument } from '../../components/layout.tsx';
import { claimPath } from '../../components/owner-steps.tsx';
import { BadgeSection, SnippetsSection } from '../badge/badge-section.tsx';
import { SimilarSection } from '../compare/compare-links.tsx';
import { CreatorSection } from '../creator/account-rows.tsx';
import type { CreatorCard } from '../creator/creator.page.tsx';
import { siteOrigin } from '../frame/page-dependencies.ts';
import { layOutFamily, relationBoxes } from '../relations/family-layout.ts';
import type { ShownGroup } from '../relations/linked-relations.ts';
import { FamilyDrawing } from '../relations/relations.page.tsx';
import { RelationsList } from '../relations/relations-list.tsx';
import { RaiseSection, waysOf } from '../score/owner-sections.tsx';
import type { ScoreDetail } from '../score/score-detail.queries.ts';
import { ScoreSection } from '../score/score-section.tsx';
import { SubjectHeading, subjectLayout } from '../score/subject-heading.tsx';

/** Renders the HTML document of an agent or skill inside a listed repository. */
export function artifactDocument(page: ArtifactPage, publicUrls: PublicUrls): string {
  return renderDocument(
    <Layout {...subjectLayout(page.subject, page.subject.id, page.score, publicUrls)}>
      <ArtifactView page={page} site={siteOrigin(publicUrls)} />
    </Layout>,
  );
}

/** Data of the page of an agent or skill inside a listed repository. */
export interface ArtifactPage {
  subject: ResolvedSubject;
  description: string;
  path: string | null;
  /** Page of the repository that contains the artifact. */
  home: PageLink;
  repositoryUrl: string;
  /** Host of the repository. */
  host: string;
  /** Name of the artifact's npm package; null without one, or if it is not confirmed. */
  npmPackage: string | null;
  /** Name of the artifact's PyPI package; null without one, or if it is not confirmed. */
  pypiPackage: string | null;
  /** Relations of the artifact's file to other files. */
  relations: ShownGroup[];
  creator: CreatorCard;
  score: ScoreDetail | null;
  /** Listings that match words of the artifact's name or tags of its repository, most similar first. */
  similar: ListedAgent[];
}

/** Renders the page of an agent or skill inside a listed repository. */
function ArtifactView({ page, site }: { page: ArtifactPage; site: string }) {
  const { subject, home, creator, score } = page;
  const type = subject.type === 'agent' ? 'agent' : 'skill';
  const ways = waysOf(score, { ...page, type, isPart: true });
  return (
    <>
      <SubjectHeading
        kind={`${subject.type} in a repository`}
        name={subject.name}
        description={page.description}
        score={score}
        canRaise={ways.length > 0}
      >
        <p>
          Inside{' '}
          <a href={home.path}>
            <ForeignText>{home.text}</ForeignText>
          </a>{' '}
          by{' '}
          <a href={creator.path}>
            <ForeignText>{creator.text}</ForeignText>
          </a>
        </p>
      </SubjectHeading>
      <div class="grid">
        <div class="stack">
          <ScoreSection score={score} places={placesOf(page)} />
          <RaiseSection ways={ways} type={type} claimHref={claimPath(page.repositoryUrl)} />
          <OriginSection page={page} />
        </div>
        <div class="stack">
          <section class="card" aria-labelledby="repository">
            <h2 id="repository">Repository</h2>
            <p>
              <ExternalLink href={page.repositoryUrl}>{subject.repository}</ExternalLink>
            </p>
            <dl>
              {page.path !== null && (
                <>
                  <dt>Path</dt>
                  <dd>
                    <code>
                      <ForeignText>{page.path}</ForeignText>
                    </code>
                  </dd>
                </>
              )}
              <dt>Source</dt>
              <dd>
                <ForeignText>{subject.source}</ForeignText>
              </dd>
            </dl>
          </section>
          <CreatorSection creator={creator} />
          <BadgeSection subject={subject} score={score} site={site} />
          <SimilarSection agentId={null} similar={page.similar} />
          <SnippetsSection
            apiPath={apiPathOf(page)}
            sdkCall={`client.subjects.get('${subject.id}')`}
            site={site}
          />
        </div>
      </div>
    </>
  );
}

function apiPathOf({ subject }: ArtifactPage): string {
  return `/api/subjects/${subject.id}`;
}

function placesOf(page: ArtifactPage): SourceLinks {
  const { host, repositoryUrl, npmPackage, creator, home } = page;
  return { host, repositoryUrl, npmPackage, creator, apiPath: apiPathOf(page), partOf: home };
}

/** Shows the known relations of the artifact's file to other files. Without the file's path, none can be found. */
function OriginSection({ page }: { page: ArtifactPage }) {
  const { relations, path } = page;
  return (
    <section class="card" aria-labelledby="lineage">
      <h2 id="lineage">Origins</h2>
      {relations.length === 0 ? (
        <p>{path === null ? 'We do not know its file, so we cannot look for copies.' : 'No known copies.'}</p>
      ) : (
        <>
          {relations.map((group) => (
            <Copies key={`${group.kind} ${group.direction}`} group={group} />
          ))}
          <div class="wide-only">
            <Drawing page={page} />
          </div>
          <details open>
            <summary>As a list</summary>
            <RelationsList groups={relations} />
          </details>
        </>
      )}
    </section>
  );
}

/**
 * States how many other repositories have an identical file, and which of all these repositories is the oldest. The
 * oldest is stated only if the creation dates of at least two of them are known.
 */
function Copies({ group: { kind, others, oldest, shown } }: { group: ShownGroup }) {
  if (kind !== SAME_FILE) return null;
  const [first] = shown;
  return (
    <p>
      An identical file is in{' '}
      {others === 1 ? '1 other repository' : `${formatCount(others)} other repositories`}.
      {oldest === 'own' && ' This is the oldest repository known to have it.'}
      {oldest === 'first' && first && (
        <>
          {' '}
          The oldest known to have it is <ForeignText>{first.other.repository}</ForeignText>, from{' '}
          <Moment at={first.other.createdAt ?? ''} />.
        </>
      )}
    </p>
  );
}

/** Draws the relations of the artifact's file, with a separate box for each other file. */
function Drawing({ page: { subject, relations } }: { page: ArtifactPage }) {
  const { before, after, total } = relationBoxes(relations, subject.publicPath, new Set(), 'each');
  const self = { key: subject.id, name: subject.name, line: `this ${subject.type}` };
  const hidden = total.before + total.after - before.length - after.length;
  return (
    <>
      <FamilyDrawing
        drawing={layOutFamily({ self, before, after })}
        title={`Origins and copies of ${subject.name}`}
      />
      {hidden > 0 && <p class="muted small">The list below has {formatCount(hidden)} more.</p>}
    </>
  );
}
