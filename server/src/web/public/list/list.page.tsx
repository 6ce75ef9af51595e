import type { ComponentChildren } from 'preact';
import type { AddressMatch } from '../../../catalog/subjects/find-by-address.ts';
import type { PublicUrls } from '../../../catalog/subjects/public-path.ts';
import type { ListedAgent } from '../../../directory/lists/link-agents.ts';
import type { AgentList } from '../../../directory/lists/list-agents.ts';
import {
  type FoundCreatorsAndArtifacts,
  type FoundName,
  NO_OTHER_RESULTS,
} from '../../../directory/names/find-names.ts';
import { FIND_STYLE_PATH } from '../../components/assets.ts';
import { ForeignText, formatCount, formatTotal, toWords } from '../../components/formatting.tsx';
import { Layout, renderDocument } from '../../components/layout.tsx';
import { absoluteUrl } from '../frame/page-dependencies.ts';
import { EmptyList } from './empty-list.tsx';
import { chosenFilters, FilterBar, type ListCounts } from './filter-bar.tsx';
import { ListingRows } from './listing-rows.tsx';
import { LIST_PATH, type ListQuery, listHref, PageLinks } from './page-links.tsx';
import { AddressNote, type FittingList, fittingLists, OtherDirection, SearchNote } from './search-note.tsx';

const DESCRIPTION =
  'AI agents and skills with a verdict on each: who made it, what it is built on, and how much can be verified.';

/** One page of the list, whose entries have the paths of their pages. */
export interface ListedPage
  extends Pick<AgentList, 'total' | 'totalIsLowerBound' | 'ignoredWords' | 'terms' | 'nearestBy'> {
  agents: readonly ListedAgent[];
  /** Entries to show instead if the search matches nothing. */
  nearest: readonly ListedAgent[];
  /** Texts of artifacts, by the listing's subject id. They contain search words that the listing itself lacks. */
  inside: ReadonlyMap<string, readonly string[]>;
}

/** Notes about the text in the search box. */
export interface SearchNotes {
  /** Subjects that the text names; null if the text is not an address. */
  addressed: AddressMatch | null;
  /** Corrected spelling that was also searched; null if none was. */
  didYouMean: string | null;
  /** Creators and artifacts whose names match the search text. */
  others: FoundCreatorsAndArtifacts;
}

const NO_NOTES: SearchNotes = { addressed: null, didYouMean: null, others: NO_OTHER_RESULTS };

/** Renders the HTML document of one page of the list, with filter counts and notes about the search text. */
export function listDocument(
  list: ListQuery,
  found: ListedPage,
  counts: ListCounts,
  publicUrls: PublicUrls,
  { addressed, didYouMean, others }: SearchNotes = NO_NOTES,
): string {
  const address = listHref(list, list.offset);
  const url = absoluteUrl(address, publicUrls);
  return renderDocument(
    <Layout
      title={`${list.q ?? 'Agents and skills'} · Trust Directory`}
      canonical={url}
      openGraph={{ url, description: DESCRIPTION }}
      unlisted={address !== LIST_PATH}
      search={list.q ?? ''}
      searchWith={chosenFilters(list)}
      current="browse"
      style={FIND_STYLE_PATH}
    >
      <ListView
        list={list}
        found={found}
        counts={counts}
        others={others}
        note={
          <>
            {addressed && (
              <AddressNote addressed={addressed} hasResults={found.total > 0} publicUrls={publicUrls} />
            )}
            {didYouMean !== null && <SpellingNote list={list} didYouMean={didYouMean} />}
          </>
        }
      />
    </Layout>,
  );
}

/** Shows the corrected spelling that was also searched, as a link to a search for that spelling alone. */
function SpellingNote({ list, didYouMean }: { list: ListQuery; didYouMean: string }) {
  return (
    <p class="notice" role="status">
      Also showing results for{' '}
      <a href={listHref({ ...list, q: didYouMean })}>
        <ForeignText>{didYouMean}</ForeignText>
      </a>
      .
    </p>
  );
}

interface ListViewProps {
  list: ListQuery;
  found: ListedPage;
  counts: ListCounts;
  others: FoundCreatorsAndArtifacts;
  /** Note about the search text. */
  note?: ComponentChildren;
}

/** Renders one page of the list: title, filters with counts, entries. The header contains the search field. */
function ListView({ list, found, counts, others, note }: ListViewProps) {
  const { agents, total, totalIsLowerBound, ignoredWords, terms, nearest, nearestBy, inside } = found;
  const first = list.offset + 1;
  const isFirstSearchPage = list.q !== null && list.offset === 0;
  const fitting = isFirstSearchPage
    ? [
        ...fittingLists(agents, terms),
        ...(nearestBy === 'popularity' ? [] : fittingLists(nearest, terms)),
      ].filter(isNotChosen(list))
    : [];
  return (
    <>
      <h1>{list.q === null ? 'Agents and skills' : <ForeignText>{list.q}</ForeignText>}</h1>
      <p class="muted" role="status">
        {agents.length > 0 && total > agents.length && (
          <>
            {formatCount(first)}–{formatCount(list.offset + agents.length)} of{' '}
          </>
        )}
        {formatTotal(total, totalIsLowerBound)} {total === 1 ? 'agent or skill' : 'agents and skills'}
      </p>
      {note}
      <SearchNote
        ignoredWords={ignoredWords}
        lookedFor={terms.length}
        fitting={agents.length === 0 ? [] : fitting}
      />
      <FilterBar list={list} counts={counts} />
      {agents.length === 0 ? (
        <EmptyList list={list} found={found} counts={counts} fitting={fitting} />
      ) : (
        <form action="/compare" method="get">
          <ListingRows
            agents={agents}
            start={first}
            pick={true}
            search={{ terms, showsReasons: list.sort === 'relevance' && terms.length > 0, inside }}
          />
          {agents.length > 1 && (
            <p class="picked">
              <button type="submit">Compare selected</button>
            </p>
          )}
        </form>
      )}
      <OtherDirection list={list} />
      <OtherResults others={others} />
      <PageLinks
        offset={list.offset}
        shown={agents.length}
        total={total}
        totalIsLowerBound={totalIsLowerBound}
        addressOf={(offset) => listHref(list, offset)}
      />
    </>
  );
}

/** Returns a predicate that is false for a category or tag by which the shown list is already filtered. */
function isNotChosen(list: ListQuery) {
  return ({ filter, value }: FittingList) => list[filter]?.toLowerCase() !== value;
}

/** Shows the creators and artifacts that a search finds in addition to listings. */
function OtherResults({ others: { creators, artifacts } }: { others: FoundCreatorsAndArtifacts }) {
  return (
    <>
      <Group title="Creators" found={creators} />
      <Group title="Inside repositories" found={artifacts} />
    </>
  );
}

function Group({ title, found }: { title: string; found: readonly FoundName[] }) {
  if (found.length === 0) return null;
  return (
    <section class="card">
      <h2>{title}</h2>
      <ul>
        {found.map(({ id, type, text, about, path }) => (
          <li key={id}>
            <a href={path}>
              <ForeignText>{text}</ForeignText>
            </a>{' '}
            <span class="muted small">
              {toWords(type)} <ForeignText>{about}</ForeignText>
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}
