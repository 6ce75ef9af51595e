import { ALL, countChosen } from '../../directory/lists/count-by-filter.ts';
import { Foreign, formatCount } from '../../ui/text.tsx';
import { chosenFilters } from './filter-bar.tsx';
import type { ListCounts } from './list-counts.ts';
import { LIST_PATH, listAddress, type PageList } from './page-query.ts';

interface EmptyListProps {
  list: PageList;
  total: number;
  counts: ListCounts;
}

/** More words than these are a sentence: offering each would be noise. */
const MOST_WORDS = 5;

/** What to do where a list shows nothing: the page is beyond its end, the filters leave nothing, or nothing is found. */
export function EmptyList({ list, total, counts }: EmptyListProps) {
  if (total > 0) {
    return (
      <section class="card">
        <h2>This page does not exist</h2>
        <p>
          The list has {formatCount(total)} entries. <a href={listAddress(list)}>Go to its first page</a>
        </p>
      </section>
    );
  }
  const found = countChosen(counts.facets, ALL);
  const { q, tag, sort } = list;
  return (
    <section class="card">
      <h2>Nothing matches</h2>
      {found > 0 ? (
        <p>
          No entry matches these filters.{' '}
          <a href={listAddress({ q, tag, sort })}>See all {formatCount(found)} without them</a>.
        </p>
      ) : counts.untagged > 0 ? (
        <p>
          No entry has this tag.{' '}
          <a href={listAddress({ ...list, tag: null })}>See all {formatCount(counts.untagged)} without it</a>.
        </p>
      ) : chosenFilters(list).length > 1 ? (
        <p>
          No entry matches all of these filters. <a href={listAddress({ q, sort })}>Search without them</a>.
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

/** Every word has to be in an entry: fewer of them find more. */
function Suggestions({ q }: { q: string | null }) {
  const words = [...new Set((q ?? '').split(/\s+/).filter((word) => word.length > 1))];
  if (words.length < 2 || words.length > MOST_WORDS) {
    return <p>Check the spelling, try another word, or enter an owner/repository.</p>;
  }
  return (
    <p>
      No entry contains all of these words. Try:{' '}
      {words.map((word, index) => (
        <>
          {index > 0 && ', '}
          <a key={word} href={listAddress({ q: word })}>
            <Foreign>{word}</Foreign>
          </a>
        </>
      ))}
      .
    </p>
  );
}
