import type { Candidate, DomainError } from '../../platform/errors/domain-error.ts';
import type { RawErrorPage } from '../../platform/http/failures/raw-errors.ts';
import type { FailureFormat } from '../../platform/http/failures/send-failure.ts';
import { pathOf } from '../../platform/http/redirect-paths.ts';
import { ForeignText } from './formatting.tsx';
import { Layout, renderDocument } from './layout.tsx';
import { HTML, PAGE_HEADERS } from './send-html.ts';

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

/** Texts and choices for the page of a failure; each has a default. */
interface ProblemTexts {
  text?: string;
  /** Search words to offer for a 404; null for no search. */
  search?: string | null;
  isOfSubject?: boolean;
}

/** Renders the HTML document of a failure, with the API's message or another text. */
export function problemDocument(
  error: DomainError,
  { text = error.message, search = null, isOfSubject = true }: ProblemTexts = {},
): string {
  const title = TITLES[error.status] ?? 'Request failed';
  const offered = error.status === 404 ? search : null;
  return renderDocument(
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

interface ProblemViewProps {
  title: string;
  text: string;
  candidates?: readonly Candidate[];
  /** Search words from the unknown path; null for no search. */
  search?: string | null;
  /** True if the path may be that of an unregistered subject; the page then explains how to register one. */
  isOfSubject?: boolean;
}

/** Shows a failure and what to do next. */
function ProblemView({ title, text, candidates = [], search = null, isOfSubject = true }: ProblemViewProps) {
  return (
    <>
      <h1>{title}</h1>
      <p class="lead">{text}</p>
      {candidates.length > 0 && (
        <ul class="rows">
          {candidates.map((candidate) => (
            <li key={candidate.canonical_id}>
              <div>
                <a href={candidate.public_path}>
                  <ForeignText>{candidate.name}</ForeignText>
                </a>{' '}
                <span class="muted small">
                  {candidate.type.replace('_', ' ')} <ForeignText>{candidate.repository}</ForeignText>
                </span>
              </div>
            </li>
          ))}
        </ul>
      )}
      {search !== null && (
        <>
          <search>
            <form class="finder" action="/agents" method="get">
              <input
                type="search"
                name="q"
                value={search}
                maxLength={200}
                aria-label="Search agents, skills and creators"
              />
              <button type="submit" class="primary">
                Search
              </button>
            </form>
          </search>
          {isOfSubject && (
            <p>
              Searching does not create a listing. If you made it, you can register it:{' '}
              <a href="/docs/registerAgent">how to register an agent or skill</a>.
            </p>
          )}
        </>
      )}
      <p>
        <a href="/agents">Browse the whole directory</a>
        {!isOfSubject && (
          <>
            {' · '}
            <a href="/docs">Read the documentation</a>
          </>
        )}
      </p>
    </>
  );
}

/** Shows failures of public pages: the message of the failure and, for 404, a search field filled from the path. */
export const publicFailurePage: FailureFormat = {
  show: ({ error, request, words }) => ({
    type: HTML,
    body: problemDocument(error, { text: words, search: searchWordsOf(pathOf(request.url)) }),
  }),
};

/** Shows failures of requests that match no route. Adds the page headers itself, because no hook adds them there. */
export const unroutedFailurePage: FailureFormat = {
  show: ({ error, request, words }) => ({
    type: HTML,
    headers: PAGE_HEADERS,
    body: problemDocument(error, {
      text: error.status === 404 ? UNKNOWN_PAGE : words,
      search: searchWordsOf(pathOf(request.url)),
      isOfSubject: false,
    }),
  }),
};

/** Shows failures of requests that Node or the router refuses before routing. */
export const rejectedRequestPage: RawErrorPage = (error) => ({
  headers: { ...PAGE_HEADERS, 'Content-Type': HTML },
  body: problemDocument(error, { isOfSubject: false }),
});

/** Text of a 404 page. The API's own message is about API operations and would confuse visitors. */
const UNKNOWN_PAGE = 'There is no page at this address. Search for what you were looking for:';

/** Derives search words from an unknown path: its last two segments, without `id` and single characters. */
function searchWordsOf(path: string): string {
  const parts = path
    .split('/')
    .filter((part) => part !== '')
    .slice(-2);
  const text = parts.map((part) => (part === 'id' || part.length === 1 ? '' : safeDecode(part))).join(' ');
  return text
    .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
    .slice(0, 200);
}

function safeDecode(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
