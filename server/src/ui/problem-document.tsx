import type { DomainError } from '../domain-error.ts';
import { toDocument } from './document.ts';
import { Layout } from './layout.tsx';
import { ProblemView } from './problem-view.tsx';

const TITLES: Readonly<Record<number, string>> = {
  401: 'Not signed in',
  404: 'Not found',
  405: 'Method not allowed',
  409: 'Which one did you mean?',
  410: 'No longer listed',
  413: 'Content too large',
  414: 'Address too long',
  429: 'Too many requests',
  503: 'Temporarily unavailable',
};

/** How a page tells of a failure, where it is not as the API does. */
interface Told {
  text?: string;
  /** What to look for where nothing was found. */
  search?: string | null;
  isOfSubject?: boolean;
}

/** What went wrong, in these words or those of the API. */
export function problemDocument(
  error: DomainError,
  { text = error.message, search = null, isOfSubject = true }: Told = {},
): string {
  const title = TITLES[error.status] ?? 'Request failed';
  const offered = error.status === 404 ? search : null;
  return toDocument(
    <Layout title={`${title} · Trust Directory`} unlisted={true} hasOwnSearch={offered !== null}>
      <ProblemView
        title={title}
        text={text}
        candidates={error.details.candidates ?? []}
        search={offered}
        isOfSubject={isOfSubject}
      />
    </Layout>,
  );
}
