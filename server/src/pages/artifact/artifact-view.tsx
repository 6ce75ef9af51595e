import { claimPath } from '../../ui/claim-path.ts';
import { Foreign, OutsideLink } from '../../ui/text.tsx';
import { BadgeSection } from '../badge/badge-section.tsx';
import { SnippetsSection } from '../badge/snippets-section.tsx';
import { CreatorSection } from '../creator/creator-section.tsx';
import { SimilarSection } from '../listing/similar-section.tsx';
import { Heading } from '../score/heading.tsx';
import { RaiseSection, waysOf } from '../score/raise-section.tsx';
import { ScoreSection } from '../score/score-section.tsx';
import type { SubjectPlaces } from '../score/sources.ts';
import type { ArtifactPage } from './artifact-page-data.ts';
import { OriginSection } from './origin-section.tsx';

/** The page of an agent or skill inside a listed repository. */
export function ArtifactView({ page, site }: { page: ArtifactPage; site: string }) {
  const { subject, home, creator, score } = page;
  const type = subject.type === 'agent' ? 'agent' : 'skill';
  const ways = waysOf(score, { ...page, type, isPart: true });
  return (
    <>
      <Heading
        kind={`${subject.type} in a repository`}
        name={subject.name}
        description={page.description}
        score={score}
        canRaise={ways.length > 0}
      >
        <p>
          Inside{' '}
          <a href={home.path}>
            <Foreign>{home.text}</Foreign>
          </a>{' '}
          by{' '}
          <a href={creator.path}>
            <Foreign>{creator.text}</Foreign>
          </a>
        </p>
      </Heading>
      <div class="grid">
        <div class="stack">
          <ScoreSection score={score} places={placesOf(page)} />
          <RaiseSection ways={ways} claimHref={claimPath(page.repositoryUrl)} />
          <OriginSection page={page} />
        </div>
        <div class="stack">
          <section class="card" aria-labelledby="repository">
            <h2 id="repository">Repository</h2>
            <p>
              <OutsideLink href={page.repositoryUrl}>{subject.repository}</OutsideLink>
            </p>
            <dl>
              {page.path !== null && (
                <>
                  <dt>Path</dt>
                  <dd>
                    <code>
                      <Foreign>{page.path}</Foreign>
                    </code>
                  </dd>
                </>
              )}
              <dt>Source</dt>
              <dd>
                <Foreign>{subject.source}</Foreign>
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

function placesOf(page: ArtifactPage): SubjectPlaces {
  const { host, repositoryUrl, npmPackage, creator, home } = page;
  return { host, repositoryUrl, npmPackage, creator, apiPath: apiPathOf(page), partOf: home };
}
