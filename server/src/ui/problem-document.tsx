import type { DomainError } from '../domain-error.ts';
import { toDocument } from './document.ts';
import { Layout } from './layout.tsx';
import { ProblemView } from './problem-view.tsx';

const TITLES: Readonly<Record<number, string>> = {
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
  const title = TITLES[error.status] ?? 'That did not work';
  const offered = error.status === 404 ? search : null;
  return toDocument(
    <Layout title={`${title} · Trust Directory`} unlisted={true} hasOwnSearch={offered !== null}>
      <ProblemView title={title} text={text} candidates={error.details.candidates ?? []} search={offered} />
    </Layout>,
  );
}
