import type { VNode } from 'preact';
import { renderToString } from 'preact-render-to-string';
import type { ListInput } from '../directory/list-agents.ts';
import type { DomainError } from '../domain-error.ts';
import type { Naming } from '../subjects/naming.ts';
import type { AccountPage } from './account-page-data.ts';
import type { ArtifactPage, CreatorPage, ListedAgent, ListingPage } from './page-data.ts';
import { AccountView } from './views/account-view.tsx';
import { ArtifactView } from './views/artifact-view.tsx';
import { CreatorView } from './views/creator-view.tsx';
import { Layout } from './views/layout.tsx';
import { ListView } from './views/list-view.tsx';
import { ListingView } from './views/listing-view.tsx';
import { ProblemView } from './views/problem-view.tsx';
import { SignInView, SignOutView } from './views/sign-in-view.tsx';

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

/** One social or messaging account. */
export function accountDocument(page: AccountPage, naming: Naming): string {
  const { name, publicPath } = page.subject;
  return toDocument(
    <Layout title={`${name} · Trust Directory`} canonical={absolute(publicPath, naming)}>
      <AccountView page={page} />
    </Layout>,
  );
}

/** Asks a person with a sign-in link (null: without one) to sign in. */
export function signInDocument(token: string | null): string {
  return toDocument(
    <Layout title="Sign in · Trust Directory">
      <SignInView token={token} />
    </Layout>,
  );
}

/** Asks whether to sign out; `token` is that of the session's forms, null where nobody is signed in. */
export function signOutDocument(token: string | null): string {
  return toDocument(
    <Layout title="Sign out · Trust Directory">
      <SignOutView token={token} />
    </Layout>,
  );
}

const PROBLEM_TITLES: Readonly<Record<number, string>> = {
  401: 'Not signed in',
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
