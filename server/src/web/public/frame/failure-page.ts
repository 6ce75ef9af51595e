import type { RawErrorPage } from '../../../platform/http/failures/raw-errors.ts';
import type { FailureFormat } from '../../../platform/http/failures/send-failure.ts';
import { pathOf } from '../../../platform/http/redirect-paths.ts';
import { problemDocument } from '../../components/problem.page.tsx';
import { HTML, PAGE_HEADERS } from '../../components/send-html.ts';

/** Shows failures of public pages: the API's message and, for 404, a search filled from the path. */
export const publicFailurePage: FailureFormat = {
  show: ({ error, request, words }) => ({
    type: HTML,
    body: problemDocument(error, { text: words, search: searchWordsOf(pathOf(request.url)) }),
  }),
};

/** Shows failures outside of any page. Adds the page headers, because no hook does so there. */
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

/** Shows requests that Node or the router refuses before routing. */
export const rejectedRequestPage: RawErrorPage = (error) => ({
  headers: { ...PAGE_HEADERS, 'Content-Type': HTML },
  body: problemDocument(error, { isOfSubject: false }),
});

/** 404 text for people; the API's own message speaks of operations. */
const UNKNOWN_PAGE = 'There is no page at this address. Search for what you were looking for:';

/** Derives search words from an unknown path: its last two segments. */
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
