import { Foreign, formatCount } from '../../ui/text.tsx';
import { SnippetsSection } from '../badge/snippets-section.tsx';
import { CreatorSection } from '../creator/creator-section.tsx';
import { Heading } from '../score/heading.tsx';
import { RaiseSection, waysOf } from '../score/raise-section.tsx';
import { ScoreSection } from '../score/score-section.tsx';
import type { SubjectPlaces } from '../score/sources.ts';
import { LineageSection } from './lineage-section.tsx';
import type { ListingPage } from './listing-page-data.ts';
import { RepositorySection } from './repository-section.tsx';

/** The page of a listed agent or skill. */
export function ListingView({ page, site }: { page: ListingPage; site: string }) {
  const { record, creator, score, artifacts, subject } = page;
  const { standing, type, category } = record;
  const ways = waysOf(score, { ...page.facts, type, isPart: false });
  const compared = standing && { ...standing, type, category };
  return (
    <>
      <Heading
        kind={`${record.agentId} · ${record.type} · ${record.category}`}
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
          </a>
        </p>
        <ul class="chips" aria-label="Tags">
          <li class="chip">{record.verified ? 'verified' : 'not verified'}</li>
          {record.tags.map((tag) => (
            <li key={tag} class="chip tag">
              <Foreign>{tag}</Foreign>
            </li>
          ))}
        </ul>
      </Heading>
      <div class="grid">
        <div class="stack">
          {!record.verified && <Unclaimed />}
          <ScoreSection score={score} places={placesOf(page)} compared={compared} />
          <RaiseSection ways={ways} />
          <LineageSection page={page} />
          {artifacts.length > 0 && <ArtifactsSection artifacts={artifacts} />}
        </div>
        <div class="stack">
          <RepositorySection page={page} />
          <CreatorSection creator={creator} former={page.formerCreators} />
          <SnippetsSection
            subject={subject}
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

/** Most listings are low because nobody has claimed them: that is said where it is read. */
function Unclaimed() {
  return (
    <p class="notice small">
      Nobody has proved yet that this repository is theirs, so what only its owner can prove is missing.{' '}
      <a href="/method#unclaimed">What that does to the score</a>.
    </p>
  );
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
