import type { FailureForm } from '../../http/failures/answer-failure.ts';
import type { RefusedAsPage } from '../../http/failures/raw-errors.ts';
import { pathOf } from '../../http/path-of.ts';
import { PAGE_HEADERS } from '../../ui/page-headers.ts';
import { problemDocument } from '../../ui/problem-document.tsx';
import { HTML } from '../../ui/send-html.ts';

/** Failures of the public pages: in the words of the API, with what to look for where nothing was found. */
export const failureAsPage: FailureForm = {
  show: ({ error, request, words }) => ({
    type: HTML,
    body: problemDocument(error, { text: words, search: wordsOf(pathOf(request.url)) }),
  }),
};

/** Failures of no page at all, which nothing else gives the headers of pages. */
export const strayAsPage: FailureForm = {
  show: ({ error, request, words }) => ({
    type: HTML,
    headers: PAGE_HEADERS,
    body: problemDocument(error, {
      text: error.status === 404 ? NO_PAGE : words,
      search: wordsOf(pathOf(request.url)),
      isOfSubject: false,
    }),
  }),
};

/** Requests that are refused before there is a page or an address to speak of. */
export const refusedAsPage: RefusedAsPage = (error) => ({
  headers: { ...PAGE_HEADERS, 'Content-Type': HTML },
  body: problemDocument(error, { isOfSubject: false }),
});

/** Who follows a link does not ask for an interface. */
const NO_PAGE = 'There is no page at this address. Search for what you were looking for:';

/** What somebody looked for who came to an address that leads nowhere: the last words of its path. */
function wordsOf(path: string): string {
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
