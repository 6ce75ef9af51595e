import type { VNode } from 'preact';
import { renderToString } from 'preact-render-to-string';
import type { ListInput } from '../directory/list-agents.ts';
import type { DomainError } from '../domain-error.ts';
import type { Naming } from '../subjects/naming.ts';
import type { ArtifactPage, CreatorPage, ListedAgent, ListingPage } from './page-data.ts';
import { ArtifactView } from './views/artifact-view.tsx';
import { CreatorView } from './views/creator-view.tsx';
import { Layout } from './views/layout.tsx';
import { ListView } from './views/list-view.tsx';
import { ListingView } from './views/listing-view.tsx';
import { ProblemView } from './views/problem-view.tsx';

/** A whole document as text; whatever stands in it was escaped by the renderer. */
function toDocument(page: VNode): string {
  return `<!doctype html>${renderToString(page)}`;
}

/** The directory, one page of it. */
export function listDocument(list: ListInput, agents: readonly ListedAgent[], total: number): string {
  const title = list.q === null ? 'Trust Directory' : `${list.q} · Trust Directory`;
  return toDocument(
    <Layout title={title} search={list.q ?? ''}>
      <ListView list={list} agents={agents} total={total} />
    </Layout>,
  );
}

/** One agent or skill. */
export function subjectDocument(page: ListingPage | ArtifactPage, naming: Naming): string {
  const { name, publicPath } = page.subject;
  return toDocument(
    <Layout title={`${name} · Trust Directory`} canonical={absolute(publicPath, naming)}>
      {page.kind === 'listing' ? <ListingView page={page} /> : <ArtifactView page={page} />}
    </Layout>,
  );
}

/** One creator. */
export function creatorDocument(page: CreatorPage, naming: Naming): string {
  const { displayName, handle, publicPath } = page.identity;
  return toDocument(
    <Layout title={`${displayName ?? handle} · Trust Directory`} canonical={absolute(publicPath, naming)}>
      <CreatorView page={page} />
    </Layout>,
  );
}

const PROBLEM_TITLES: Readonly<Record<number, string>> = {
  404: 'Not found',
  409: 'Which one?',
  429: 'Too many requests',
  503: 'Not available just now',
};

/** What went wrong, in the same words as the API. */
export function problemDocument(error: DomainError): string {
  const title = PROBLEM_TITLES[error.status] ?? 'That did not work';
  return toDocument(
    <Layout title={`${title} · Trust Directory`}>
      <ProblemView title={title} text={error.message} candidates={error.details.candidates ?? []} />
    </Layout>,
  );
}

function absolute(path: string, naming: Naming): string {
  return `${naming.site.href.replace(/\/$/, '')}${path}`;
}
