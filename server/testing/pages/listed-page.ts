import { searchWords } from '../../src/catalog/listings/search-words.ts';
import type { ListedPage } from '../../src/web/public/list/list.page.tsx';
import { creatorWith } from './pages-with.ts';

/** Creates a page of a list with these totals and entries, without search text. */
export function listedPage(agents: ListedPage['agents'], total: number): ListedPage {
  return {
    agents,
    total,
    totalIsLowerBound: false,
    ignoredWords: [],
    terms: [],
    nearest: [],
    nearestBy: null,
    inside: new Map(),
  };
}

/** Creates a page of a search for this text, with the text in every field and as a word that the search ignored. */
export function listedPageWith(text: string): ListedPage {
  return {
    ...listedPage(creatorWith(text).listings, 999),
    ignoredWords: [
      { word: text, reason: 'common' },
      { word: `${text} `, reason: 'beyond_limit' },
      { word: `${text}  `, reason: 'unknown' },
    ],
    terms: searchWords(text).map((word) => ({ word, forms: [[word]] })),
  };
}
