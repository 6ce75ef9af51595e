import type { ComponentChildren } from 'preact';
import type { PageLink, PublicUrls } from '../../../catalog/subjects/public-path.ts';
import type { ResolvedSubject } from '../../../catalog/subjects/resolve-subject.ts';
import { type AgentRecord, agentVerdict } from '../../../directory/agents/agent-record.ts';
import type { LineageEntry } from '../../../directory/agents/get-agent.ts';
import type { SourceLinks } from '../../../directory/explanations/signal-sources.ts';
import type { ListedAgent } from '../../../directory/lists/link-agents.ts';
import type { VerdictState } from '../../../scoring/verdict/verdict.ts';
import { ExternalLink, ForeignText, formatCount, formatDay, Moment } from '../../components/formatting.tsx';
import { Layout, renderDocument } from '../../components/layout.tsx';
import { claimPath } from '../../components/owner-steps.tsx';
import { BadgeSection, SnippetsSection } from '../badge/badge-section.tsx';
import { SimilarSection } from '../compare/compare-links.tsx';
import { CreatorSection } from '../creator/account-rows.tsx';
import type { CreatorCard, FormerCreator } from '../creator/creator.page.tsx';
import { siteOrigin } from '../frame/page-dependencies.ts';
import { listHref } from '../list/page-links.tsx';
import type { PageRelations } from '../relations/linked-relations.ts';
import { ClaimSection, RaiseSection, waysOf } from '../score/owner-sections.tsx';
import type { ScoreDetail } from '../score/score-detail.queries.ts';
import { ScoreSection } from '../score/score-section.tsx';
import { SubjectHeading, subjectLayout } from '../score/subject-heading.tsx';
import { RAN_THEM_ANCHOR, RanThemSection } from './advisories-section.tsx';
import { AsksForSection, InstallSection } from './install-section.tsx';
import { LineageSection } from './lineage-section.tsx';
import type { InsideArtifact, ListingFacts } from './listing.queries.ts';
import {
  ArtifactsSection,
  ContainerNote,
  ObservedSection,
  RenameNotice,
  RepositorySection,
  type ShownFact,
  SubjectOfScore,
} from './repository-section.tsx';
import { hasMalware, standingWithAdvisories, VERSIONS_ANCHOR, VersionsSection } from './versions-section.tsx';

/** Renders the HTML document of a listed agent or skill. */
export function listingDocument(page: ListingPage, publicUrls: PublicUrls): string {
  const { subject, score } = page;
  return renderDocument(
    <Layout {...subjectLayout(subject, subject.agentId ?? subject.id, score, publicUrls)}>
      <ListingView page={page} site={siteOrigin(publicUrls)} />
    </Layout>,
  );
}

/** Renders the content of the page of a listed agent or skill. */
function ListingView({ page, site }: { page: ListingPage; site: string }) {
  const { record, creator, score, artifacts, subject } = page;
  const { standing, type, category } = record;
  const ways = waysOf(score, { ...confirmedPackages(page.facts), type, isPart: false });
  const compared = standing && { ...standing, type, category };
  const { packageFacts, declared } = page.facts;
  const advised = standingWithAdvisories(packageFacts);
  const secrets = declared?.secrets ?? [];
  return (
    <>
      <SubjectHeading
        kind={
          <>
            <a href={listHref({ category })}>
              <ForeignText>{category}</ForeignText>
            </a>{' '}
            · {type} · <span class="mono">{record.agentId}</span>
          </>
        }
        name={record.name}
        description={record.description}
        score={score}
        compared={compared}
        canRaise={ways.length > 0}
        links={advised && <AdvisoryLinks canHaveRun={hasMalware(advised)} />}
      >
        <ContainerNote record={record} />
        <p>
          By{' '}
          <a href={creator.path}>
            <ForeignText>{creator.text}</ForeignText>
          </a>{' '}
          · <ExternalLink href={record.repositoryUrl}>{subject.repository}</ExternalLink>
        </p>
        {record.tags.length > 0 && (
          <ul class="chips" aria-label="Tags">
            {record.tags.map((tag) => (
              <li key={tag}>
                <a class="chip tag" href={listHref({ tag })}>
                  <ForeignText>{tag}</ForeignText>
                </a>
              </li>
            ))}
          </ul>
        )}
      </SubjectHeading>
      <QuickFacts page={page} />
      <div class="grid">
        <div class="stack">
          <RenameNotice page={page} />
          <VersionsSection facts={packageFacts} now={score?.factsAt ?? null} />
          {advised !== null && hasMalware(advised) && <RanThemSection standing={advised} secrets={secrets} />}
          <ScoreSection
            score={score}
            places={placesOf(page)}
            compared={compared}
            notes={<SubjectOfScore page={page} />}
          />
          <RaiseSection ways={ways} type={type} claimHref={claimPath(record.repositoryUrl)} />
          <LineageSection page={page} />
          {artifacts.length > 0 && (
            <ArtifactsSection artifacts={artifacts} reasons={agentVerdict(record)?.reasons ?? []} />
          )}
        </div>
        <div class="stack">
          <InstallSection
            packages={{ ...page.facts, kind: record.kind }}
            repository={subject.repository}
            repositoryUrl={record.repositoryUrl}
          />
          {declared !== null && <AsksForSection declared={declared} />}
          {!record.verified && <ClaimSection ways={ways} repositoryUrl={record.repositoryUrl} />}
          <BadgeSection subject={subject} score={score} site={site} />
          <RepositorySection page={page} />
          <ObservedSection facts={page.observed} />
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

/** Links the verdict to the section about affected versions, and to the steps for people who ran such a version. */
function AdvisoryLinks({ canHaveRun }: { canHaveRun: boolean }) {
  return (
    <>
      <a href={`#${VERSIONS_ANCHOR}`}>Which versions</a>
      {canHaveRun && (
        <>
          {' · '}
          <a href={`#${RAN_THEM_ANCHOR}`}>What to do if you ran them</a>
        </>
      )}
    </>
  );
}

/** Returns the confirmed packages. Only their registry accounts can be proved, because other packages may be a stranger's. */
function confirmedPackages({ npmPackage, pypiPackage, isNpmConfirmed, isPypiConfirmed }: ListingFacts) {
  return {
    npmPackage: isNpmConfirmed ? npmPackage : null,
    pypiPackage: isPypiConfirmed ? pypiPackage : null,
  };
}

function apiPathOf({ record }: ListingPage): string {
  return `/api/agents/${record.agentId}`;
}

function placesOf(page: ListingPage): SourceLinks {
  const { facts, record, creator } = page;
  const { host, npmPackage } = facts;
  const { repositoryUrl } = record;
  const addresses = Object.fromEntries(
    page.observed.map(({ fact, source, url }) => [`${fact} ${source}`, url]),
  );
  return { host, repositoryUrl, npmPackage, creator, apiPath: apiPathOf(page), partOf: null, addresses };
}

export interface Relative {
  link: PageLink;
  entry: LineageEntry;
  verdict?: VerdictState | null;
}

/** Data of the page of a listed agent or skill. */
export interface ListingPage {
  subject: ResolvedSubject;
  record: AgentRecord;
  facts: ListingFacts;
  /** Facts that were observed at their sources. */
  observed: readonly ShownFact[];
  creator: CreatorCard;
  /** Former creators, latest first. */
  formerCreators: FormerCreator[];
  score: ScoreDetail | null;
  /** The listing's own lineage entry, with the edge to its parent. */
  ownEntry: LineageEntry;
  ancestors: Relative[];
  descendants: Relative[];
  /** True if there are more descendants than shown. */
  moreDescendants: boolean;
  /** Relations other than lineage, and the source statements on which the lineage is based. */
  relations: PageRelations;
  /** Listing of the repository under its newest name; null if this is the newest, or if renames form a cycle. */
  newest: (PageLink & { stated: boolean }) | null;
  /** Listing of the original, if this repository is known to be a copy; otherwise null. */
  original: (PageLink & { stated: boolean }) | null;
  /** False if this server does not refresh facts by itself. */
  isRefreshed?: boolean | undefined;
  /** Former name of the repository, if the request used one. */
  requestedName?: string | undefined;
  artifacts: (PageLink & Pick<InsideArtifact, 'description' | 'trust' | 'confidence'>)[];
  /** Similar listings, most similar first. */
  similar: ListedAgent[];
}

/** Shows the facts that visitors want most in one line under the verdict. */
function QuickFacts({ page }: { page: ListingPage }) {
  const { record, descendants } = page;
  const { stars, lastCommitAt, license, verified } = record;
  return (
    <>
      <ul class="quick">
        <Quick name={dated(stars === 1 ? 'star' : 'stars', page.facts)}>
          {stars === null ? null : formatCount(stars)}
        </Quick>
        <Quick name="last commit">{lastCommitAt && <Moment at={lastCommitAt.toISOString()} />}</Quick>
        <Quick name="licence">{license && <ForeignText>{license}</ForeignText>}</Quick>
        <Quick name="owner" unknown="not claimed">
          {verified ? 'verified' : null}
        </Quick>
        {descendants.length > 0 && (
          <Quick name="derived">
            {formatCount(descendants.length)}
            {page.moreDescendants && '+'}
          </Quick>
        )}
        {record.partCount > 0 && <Quick name="known inside">{formatCount(record.partCount)}</Quick>}
      </ul>
      {(stars !== null || lastCommitAt !== null) && <FiguresSource page={page} />}
    </>
  );
}

/** Appends the day of a reading to the name of a figure: "stars on 22 Aug 2026". */
function dated(name: string, { figuresAt }: ListingFacts): string {
  return figuresAt === null ? name : `${name} on ${formatDay(figuresAt)}`;
}

/**
 * States whether this server read the repository's figures from the host, or a list states them. Also says so if this
 * server does not refresh the figures.
 */
function FiguresSource({ page }: { page: ListingPage }) {
  const { figuresAt, figuresSource, isRead, host } = page.facts;
  const day = figuresAt !== null && (
    <>
      {' '}
      on <Moment at={figuresAt} />
    </>
  );
  return (
    <p class="note">
      {isRead ? (
        <>
          Repository figures read from {host}
          {day}.
        </>
      ) : (
        <>
          Repository figures stated by <ForeignText>{figuresSource}</ForeignText>
          {day}, not read from {host} here.
        </>
      )}
      {page.isRefreshed === false && ' This directory does not refresh them by itself.'}
    </p>
  );
}

interface QuickProps {
  name: string;
  unknown?: string;
  children: ComponentChildren;
}

function Quick({ name, unknown = 'not known', children }: QuickProps) {
  return (
    <li>
      {children === null ? <span class="muted">{unknown}</span> : <b>{children}</b>}
      <span class="note">{name}</span>
    </li>
  );
}
