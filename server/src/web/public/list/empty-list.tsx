import { countSelected } from '../../../directory/lists/count-by-filter.ts';
import { NO_FILTERS } from '../../../directory/lists/filters.ts';
import { ForeignText, formatCount } from '../../components/formatting.tsx';
import { chosenFilters } from './filter-bar.tsx';
import type { ListCounts } from './filter-counts.ts';
import { LIST_PATH, type ListQuery, listHref } from './page-links.tsx';

interface EmptyListProps {
  list: ListQuery;
  total: number;
  counts: ListCounts;
}

/** Maximum number of words to suggest one by one; more words form a sentence. */
const MAX_SUGGESTED_WORDS = 5;

/** Explains an empty list and what to do: a page beyond the end, filters that exclude everything, or no match. */
export function EmptyList({ list, total, counts }: EmptyListProps) {
  if (total > 0) {
    return (
      <section class="card">
        <h2>This page does not exist</h2>
        <p>
          The list has {formatCount(total)} entries. <a href={listHref(list)}>Go to its first page</a>
        </p>
      </section>
    );
  }
  const found = countSelected(counts.facets, NO_FILTERS);
  const { q, tag, sort } = list;
  return (
    <section class="card">
      <h2>Nothing matches</h2>
      {found > 0 ? (
        <p>
          No entry matches these filters.{' '}
          <a href={listHref({ q, tag, sort })}>See all {formatCount(found)} without them</a>.
        </p>
      ) : counts.tag.any > 0 ? (
        <p>
          No entry has this tag.{' '}
          <a href={listHref({ ...list, tag: null })}>See all {formatCount(counts.tag.any)} without it</a>.
        </p>
      ) : chosenFilters(list).length > 1 ? (
        <p>
          No entry matches all of these filters. <a href={listHref({ q, sort })}>Search without them</a>.
        </p>
      ) : (
        <Suggestions q={q} />
      )}
      <p>
        <a href={LIST_PATH}>Browse everything</a>. If you made something that is not listed yet, you can{' '}
        <a href="/docs/registerAgent">register it</a>.
      </p>
    </section>
  );
}

/** Suggests single words, because a search requires every word. */
function Suggestions({ q }: { q: string | null }) {
  const words = [...new Set((q ?? '').split(/\s+/).filter((word) => word.length > 1))];
  if (words.length < 2 || words.length > MAX_SUGGESTED_WORDS) {
    return <p>Check the spelling, try another word, or enter an owner/repository.</p>;
  }
  return (
    <p>
      No entry contains all of these words. Try:{' '}
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
