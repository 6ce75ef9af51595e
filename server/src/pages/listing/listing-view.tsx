import { claimPath } from '../../ui/claim-path.ts';
import { Foreign, formatCount, OutsideLink } from '../../ui/text.tsx';
import { BadgeSection } from '../badge/badge-section.tsx';
import { SnippetsSection } from '../badge/snippets-section.tsx';
import { CreatorSection } from '../creator/creator-section.tsx';
import { listAddress } from '../list/page-query.ts';
import { Heading } from '../score/heading.tsx';
import { RaiseSection, waysOf } from '../score/raise-section.tsx';
import { ScoreSection } from '../score/score-section.tsx';
import type { SubjectPlaces } from '../score/sources.ts';
import { ClaimSection } from './claim-section.tsx';
import { LineageSection } from './lineage-section.tsx';
import type { ListingPage } from './listing-page-data.ts';
import { QuickFacts } from './quick-facts.tsx';
import { RenameNotice } from './rename-notice.tsx';
import { RepositorySection } from './repository-section.tsx';
import { SimilarSection } from './similar-section.tsx';
import { UseSection } from './use-section.tsx';

/** The page of a listed agent or skill. */
export function ListingView({ page, site }: { page: ListingPage; site: string }) {
  const { record, creator, score, artifacts, subject } = page;
  const { standing, type, category } = record;
  const ways = waysOf(score, { ...page.facts, type, isPart: false });
  const compared = standing && { ...standing, type, category };
  return (
    <>
      <Heading
        kind={
          <>
            <a href={listAddress({ category })}>
              <Foreign>{category}</Foreign>
            </a>{' '}
            · {type} · <span class="mono">{record.agentId}</span>
          </>
        }
        name={record.name}
        description={record.description}
        score={score}
        compared={compared}
        canRaise={ways.length > 0}
      >
        <p>
          By{' '}
          <a href={creator.path}>
            <Foreign>{creator.text}</Foreign>
          </a>{' '}
          · <OutsideLink href={record.repositoryUrl}>{subject.repository}</OutsideLink>
        </p>
        {record.tags.length > 0 && (
          <ul class="chips" aria-label="Tags">
            {record.tags.map((tag) => (
              <li key={tag}>
                <a class="chip tag" href={listAddress({ tag })}>
                  <Foreign>{tag}</Foreign>
                </a>
              </li>
            ))}
          </ul>
        )}
      </Heading>
      <QuickFacts page={page} />
      <div class="grid">
        <div class="stack">
          <RenameNotice page={page} />
          <ScoreSection score={score} places={placesOf(page)} compared={compared} />
          <RaiseSection ways={ways} claimHref={claimPath(record.repositoryUrl)} />
          <LineageSection page={page} />
          {artifacts.length > 0 && <ArtifactsSection artifacts={artifacts} />}
        </div>
        <div class="stack">
          <UseSection
            packages={{ ...page.facts, kind: record.kind }}
            repository={subject.repository}
            repositoryUrl={record.repositoryUrl}
          />
          {!record.verified && <ClaimSection ways={ways} repositoryUrl={record.repositoryUrl} />}
          <BadgeSection subject={subject} score={score} site={site} />
          <RepositorySection page={page} />
          <CreatorSection creator={creator} former={page.formerCreators} />
          <SimilarSection agentId={record.agentId} similar={page.similar} />
          <SnippetsSection
            apiPath={apiPathOf(page)}
            sdkCall={`client.agents.get('${record.agentId}')`}
            site={site}
          />
        </div>
      </div>
    </>
  );
}

function apiPathOf({ record }: ListingPage): string {
  return `/api/agents/${record.agentId}`;
}

function placesOf(page: ListingPage): SubjectPlaces {
  const { facts, record, creator } = page;
  const { host, npmPackage } = facts;
  const { repositoryUrl } = record;
  return { host, repositoryUrl, npmPackage, creator, apiPath: apiPathOf(page), partOf: null };
}

/** So many stand open; the rest unfolds, or the page would be theirs. */
const OPEN_ARTIFACTS = 8;

function ArtifactsSection({ artifacts }: { artifacts: ListingPage['artifacts'] }) {
  const rest = artifacts.slice(OPEN_ARTIFACTS);
  return (
    <section class="card" aria-labelledby="inside">
      <h2 id="inside">Inside this repository</h2>
      <ArtifactList artifacts={artifacts.slice(0, OPEN_ARTIFACTS)} />
      {rest.length > 0 && (
        <details>
          <summary>{formatCount(rest.length)} more</summary>
          <ArtifactList artifacts={rest} />
        </details>
      )}
    </section>
  );
}

function ArtifactList({ artifacts }: { artifacts: ListingPage['artifacts'] }) {
  return (
    <ul class="tree">
      {artifacts.map((artifact) => (
        <li key={artifact.path}>
          <a href={artifact.path}>
            <Foreign>{artifact.text}</Foreign>
          </a>
          {artifact.description !== '' && (
            <p class="note clamp">
              <Foreign>{artifact.description}</Foreign>
            </p>
          )}
        </li>
      ))}
    </ul>
  );
}
