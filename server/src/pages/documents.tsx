import type { VNode } from 'preact';
import type { Facet } from '../directory/count-by-filter.ts';
import type { DomainError } from '../domain-error.ts';
import type { Naming } from '../subjects/naming.ts';
import type { SubjectType } from '../subjects/subject-type.ts';
import { DOCS_SCRIPT_PATH, DOCS_STYLE_PATH } from '../ui/assets.ts';
import { Layout } from '../ui/layout.tsx';
import { ProblemView } from '../ui/problem-view.tsx';
import { renderMarkup } from '../ui/render-markup.ts';
import { formatDay, formatScore, toWords } from '../ui/text.tsx';
import type { AccountPage } from './account/account-page-data.ts';
import { AccountView } from './account/account-view.tsx';
import { ArtifactView } from './artifact/artifact-view.tsx';
import { cardPath } from './badge/badge-path.ts';
import { CreatorView } from './creator/creator-view.tsx';
import { ListView } from './home/list-view.tsx';
import { type PageList, pageAddress } from './home/page-query.ts';
import { ListingView } from './listing/listing-view.tsx';
import { MethodView } from './method/method-view.tsx';
import type { ArtifactPage, CreatorPage, ListedAgent, ListingPage } from './page-data.ts';
import { DocsView } from './reference/docs-view.tsx';
import type { ReferenceGroup } from './reference/reference-index.ts';
import type { ScoreDetail } from './score/score-detail.ts';

/** A whole document as text; whatever stands in it was escaped by the renderer. */
export function toDocument(page: VNode): string {
  return `<!doctype html>${renderMarkup(page)}`;
}

/** The directory, one page of it, with the counts that its filters show. */
export function listDocument(
  list: PageList,
  agents: readonly ListedAgent[],
  total: number,
  facets: readonly Facet[],
  naming: Naming,
): string {
  const title = list.q === null ? 'Trust Directory' : `${list.q} · Trust Directory`;
  const address = pageAddress(list, list.offset);
  const url = absolute(address, naming);
  return toDocument(
    <Layout
      title={title}
      canonical={url}
      shared={{ url, description: ABOUT }}
      unlisted={address !== '/'}
      hasOwnSearch={true}
    >
      <ListView list={list} agents={agents} total={total} facets={facets} />
    </Layout>,
  );
}

const ABOUT =
  'Agents and skills: who made them, where they come from, how far the evidence speaks for them, and how sure that is.';

/** One agent or skill. */
export function subjectDocument(page: ListingPage | ArtifactPage, naming: Naming): string {
  const { subject, score } = page;
  const site = siteOf(naming);
  return toDocument(
    <Layout {...frameOf(subject, subject.agentId ?? subject.id, score, naming)}>
      {page.kind === 'listing' ? (
        <ListingView page={page} site={site} />
      ) : (
        <ArtifactView page={page} site={site} />
      )}
    </Layout>,
  );
}

/** One creator. */
export function creatorDocument(page: CreatorPage, naming: Naming): string {
  const { id, displayName, handle, publicPath } = page.identity;
  const subject = { type: 'creator', name: displayName ?? handle, publicPath } as const;
  return toDocument(
    <Layout {...frameOf(subject, id, page.score, naming)} unlisted={page.offset > 0}>
      <CreatorView page={page} site={siteOf(naming)} />
    </Layout>,
  );
}

/** One social or messaging account. */
export function accountDocument(page: AccountPage, naming: Naming): string {
  return toDocument(
    <Layout {...frameOf(page.subject, page.subject.id, page.score, naming)}>
      <AccountView page={page} site={siteOf(naming)} />
    </Layout>,
  );
}

/** How scores are made. */
export function methodDocument(naming: Naming): string {
  const title = 'How scores are made · Trust Directory';
  const url = absolute('/method', naming);
  const description = 'What trust and confidence are read from, with every weight, and one score worked out.';
  return toDocument(
    <Layout title={title} canonical={url} shared={{ url, description }} current="method">
      <MethodView />
    </Layout>,
  );
}

/** The API reference. */
export function docsDocument(groups: readonly ReferenceGroup[], naming: Naming): string {
  const title = 'API reference · Trust Directory';
  const url = absolute('/docs', naming);
  const description =
    'Every endpoint of the Trust Directory, with its parameters, answers, errors and examples.';
  const files = { style: DOCS_STYLE_PATH, script: DOCS_SCRIPT_PATH };
  return toDocument(
    <Layout title={title} canonical={url} shared={{ url, description }} current="docs" {...files}>
      <DocsView groups={groups} site={siteOf(naming)} />
    </Layout>,
  );
}

/** What frames the page of a subject: its address, and what others show of a link to it. */
function frameOf(
  subject: { type: SubjectType; name: string; publicPath: string },
  id: string,
  score: ScoreDetail | null,
  naming: Naming,
) {
  const url = absolute(subject.publicPath, naming);
  const description =
    score === null
      ? `${toWords(subject.type)} without a confirmed score yet.`
      : `Trust ${formatScore(score.trust)}, confidence ${formatScore(score.confidence)}, tier ${score.tier}, as of ${formatDay(score.version)}.`;
  const image = { url: absolute(cardPath(subject.type, id), naming), alt: description };
  return { title: `${subject.name} · Trust Directory`, canonical: url, shared: { url, description, image } };
}

const PROBLEM_TITLES: Readonly<Record<number, string>> = {
  401: 'Not signed in',
  404: 'Not found',
  409: 'Which one?',
  410: 'No longer listed',
  429: 'Too many requests',
  503: 'Not available just now',
};

/** What went wrong, in these words or those of the API; `search` is what to look for where nothing was found. */
export function problemDocument(
  error: DomainError,
  { text = error.message, search = null }: { text?: string; search?: string | null } = {},
): string {
  const title = PROBLEM_TITLES[error.status] ?? 'That did not work';
  const offered = error.status === 404 ? search : null;
  return toDocument(
    <Layout title={`${title} · Trust Directory`} unlisted={true} hasOwnSearch={offered !== null}>
      <ProblemView title={title} text={text} candidates={error.details.candidates ?? []} search={offered} />
    </Layout>,
  );
}

function siteOf(naming: Naming): string {
  return naming.site.href.replace(/\/$/, '');
}

function absolute(path: string, naming: Naming): string {
  return `${siteOf(naming)}${path}`;
}
