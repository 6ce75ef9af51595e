import { countSelected } from '../../../directory/lists/count-by-filter.ts';
import { NO_FILTERS } from '../../../directory/lists/filters.ts';
import { ForeignText, formatCount, formatTotal } from '../../components/formatting.tsx';
import { chosenFilters, type ListCounts } from './filter-bar.tsx';
import type { ListedPage } from './list.page.tsx';
import { ListingRows } from './listing-rows.tsx';
import { LIST_PATH, type ListQuery, listHref } from './page-links.tsx';
import { FittingLinks, type FittingList } from './search-note.tsx';

interface EmptyListProps {
  list: ListQuery;
  found: ListedPage;
  counts: ListCounts;
  /** Categories and tags whose lists may contain what the visitor searches for. */
  fitting: readonly FittingList[];
}

const NEAREST_PHRASES: Readonly<Record<NonNullable<ListedPage['nearestBy']>, string>> = {
  words: 'They have some of the words.',
  spelling: 'Their words are spelled like those of your search.',
  popularity: 'No entry has words like these. These are well-known entries.',
};

/** Maximum number of words to suggest one by one; a search with more words gets general advice. */
const MAX_SUGGESTED_WORDS = 5;

/**
 * Explains why the list is empty and what to do: the page is beyond the end, filters exclude everything, or nothing
 * matches the search. Then shows the nearest entries.
 */
export function EmptyList({ list, found, counts, fitting }: EmptyListProps) {
  const { total, totalIsLowerBound, nearest, nearestBy, terms } = found;
  if (total > 0) {
    return (
      <section class="card">
        <h2>This page does not exist</h2>
        <p>
          The list has {formatTotal(total, totalIsLowerBound)} entries.{' '}
          <a href={listHref(list)}>Go to its first page</a>
        </p>
      </section>
    );
  }
  return (
    <>
      <section class="card">
        <h2>Nothing matches</h2>
        <NextStep list={list} found={found} counts={counts} />
        {fitting.length > 0 && (
          <p>
            These lists may have it: <FittingLinks fitting={fitting} />.
          </p>
        )}
        <p>
          <a href={LIST_PATH}>Browse everything</a>. If you made something that is not listed yet, you can{' '}
          <a href="/docs/registerAgent">register it</a>.
        </p>
      </section>
      {nearest.length > 0 && (
        <section class="nearest" aria-labelledby="nearest">
          <h2 id="nearest">Nearest entries</h2>
          {nearestBy !== null && <p class="muted small">{NEAREST_PHRASES[nearestBy]}</p>}
          <ListingRows agents={nearest} level={3} search={{ terms, showsReasons: true }} />
        </section>
      )}
    </>
  );
}

/** Says why nothing matches, and offers the list without some filters, or searches for fewer words. */
function NextStep({ list, found, counts }: Omit<EmptyListProps, 'fitting'>) {
  const { q, tag, sort } = list;
  const unfiltered = countSelected(counts.facets, NO_FILTERS);
  if (unfiltered > 0) {
    return (
      <p>
        No entry matches these filters.{' '}
        <a href={listHref({ q, tag, sort })}>
          See all {formatTotal(unfiltered, counts.isLowerBound)} without them
        </a>
        .
      </p>
    );
  }
  if (counts.tag.any > 0) {
    return (
      <p>
        No entry has this tag.{' '}
        <a href={listHref({ ...list, tag: null })}>See all {formatCount(counts.tag.any)} without it</a>.
      </p>
    );
  }
  if (counts.verdict.any > 0) {
    return (
      <p>
        No entry has this verdict.{' '}
        <a href={listHref({ ...list, verdict: null })}>
          See all {formatCount(counts.verdict.any)} with another one
        </a>
        .
      </p>
    );
  }
  if (chosenFilters(list).length > 1) {
    return (
      <p>
        No entry matches all of these filters. <a href={listHref({ q, sort })}>Search without them</a>.
      </p>
    );
  }
  return <WordsToTry q={q} found={found} />;
}

/** Suggests a separate search for each word, because an entry must have most words of a search to match. */
function WordsToTry({ q, found }: { q: string | null; found: ListedPage }) {
  const ignored = new Set(found.ignoredWords.map(({ word }) => word));
  const all = [...new Set((q ?? '').split(/\s+/).filter((word) => word.length > 1))];
  const words = all.filter((word) => !ignored.has(word.toLowerCase()));
  const areCommon = found.ignoredWords.every(({ reason }) => reason === 'common');
  if (words.length === 0 && ignored.size > 0 && areCommon) {
    return <p>These words are too common to look for. Add a word that says what you need.</p>;
  }
  if (all.length < 2 || words.length === 0 || words.length > MAX_SUGGESTED_WORDS) {
    return <p>Check the spelling, try another word, or enter an owner/repository.</p>;
  }
  return (
    <p>
      No entry has enough of these words. Try:{' '}
      {words.map((word, index) => (
        <>
          {index > 0 && ', '}
          <a key={word} href={listHref({ q: word })}>
            <ForeignText>{word}</ForeignText>
          </a>
        </>
      ))}
      .
    </p>
  );
}
