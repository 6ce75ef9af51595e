import type { ComponentChildren } from 'preact';
import type { ListedAgent } from '../../directory/lists/link-agents.ts';
import { Foreign, formatCount } from '../../ui/text.tsx';
import { AgentRows } from './agent-rows.tsx';
import { Facets, type ListCounts } from './facets.tsx';
import { PageLinks } from './page-links.tsx';
import { type PageList, pageAddress } from './page-query.ts';

interface ListViewProps {
  list: PageList;
  agents: readonly ListedAgent[];
  total: number;
  counts: ListCounts;
  /** What is said of the search text itself. */
  note?: ComponentChildren;
}

const SORT_NAMES = {
  score_desc: 'Best trust first',
  score_asc: 'Least trust first',
  stars: 'Most stars first',
  updated: 'Latest commit first',
  newest: 'Newest here first',
  name: 'Name',
} as const;

/** The directory: search, filters with their counts, one page of entries. */
export function ListView({ list, agents, total, counts, note }: ListViewProps) {
  const first = list.offset + 1;
  return (
    <>
      <h1>
        {list.q === null ? (
          'Agents and skills'
        ) : (
          <>
            Search: <Foreign>{list.q}</Foreign>
          </>
        )}
      </h1>
      {list.q === null && (
        <p class="lead muted">
          Who made it, where it comes from, how far the evidence speaks for it, and how sure that is.
        </p>
      )}
      <Finder list={list} />
      {note}
      <Facets list={list} counts={counts} />
      {agents.length === 0 ? (
        <Nothing list={list} total={total} />
      ) : (
        <>
          <p class="muted small" role="status">
            {formatCount(first)}–{formatCount(list.offset + agents.length)} of {formatCount(total)}
          </p>
          <AgentRows agents={agents} start={first} />
        </>
      )}
      <PageLinks
        offset={list.offset}
        shown={agents.length}
        total={total}
        addressOf={(offset) => pageAddress(list, offset)}
      />
    </>
  );
}

/** Words and order; the chosen filters go along. */
function Finder({ list }: { list: PageList }) {
  const { type, kind, category, tag, license, tier, verified } = list;
  const kept = Object.entries({ type, kind, category, tag, license, tier, verified }).filter(
    ([, value]) => value !== null,
  );
  return (
    <search>
      <form class="finder" action="/" method="get">
        <input
          type="search"
          name="q"
          value={list.q ?? ''}
          maxLength={200}
          aria-label="Search agents, skills and creators"
          aria-keyshortcuts="/"
          placeholder="Name, description or creator"
        />
        {kept.map(([name, value]) => (
          <input key={name} type="hidden" name={name} value={String(value)} />
        ))}
        <select name="sort" aria-label="Order" data-submits>
          {Object.entries(SORT_NAMES).map(([value, text]) => (
            <option key={value} value={value} selected={value === list.sort}>
              {text}
            </option>
          ))}
        </select>
        <button type="submit" class="primary">
          Search
        </button>
      </form>
    </search>
  );
}

function Nothing({ list, total }: { list: PageList; total: number }) {
  if (total > 0) {
    return (
      <section class="card">
        <h2>The list ends before this page</h2>
        <p>
          It has {formatCount(total)} entries: <a href={pageAddress(list, 0)}>see its first page</a>.
        </p>
      </section>
    );
  }
  return (
    <section class="card">
      <h2>Nothing matches</h2>
      <p>
        Try fewer words or filters, or <a href="/">see everything</a>. A repository that is not listed yet can
        be <a href="/docs/registerAgent">registered</a> by the person who made it.
      </p>
    </section>
  );
}
