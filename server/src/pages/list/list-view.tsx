import type { ComponentChildren } from 'preact';
import type { ListedAgent } from '../../directory/lists/link-agents.ts';
import type { Others } from '../../directory/names/find-others.ts';
import { Foreign, formatCount } from '../../ui/text.tsx';
import { AgentRows } from './agent-rows.tsx';
import { EmptyList } from './empty-list.tsx';
import { FilterBar } from './filter-bar.tsx';
import type { ListCounts } from './list-counts.ts';
import { OtherResults } from './other-results.tsx';
import { PageLinks } from './page-links.tsx';
import { listAddress, type PageList } from './page-query.ts';

interface ListViewProps {
  list: PageList;
  agents: readonly ListedAgent[];
  total: number;
  counts: ListCounts;
  others: Others;
  /** What is said of the search text itself. */
  note?: ComponentChildren;
}

/** One page of the directory: what it is, filters with their counts, entries. The header has the search. */
export function ListView({ list, agents, total, counts, others, note }: ListViewProps) {
  const first = list.offset + 1;
  return (
    <>
      <h1>{list.q === null ? 'Agents and skills' : <Foreign>{list.q}</Foreign>}</h1>
      <p class="muted" role="status">
        {agents.length > 0 && total > agents.length && (
          <>
            {formatCount(first)}–{formatCount(list.offset + agents.length)} of{' '}
          </>
        )}
        {formatCount(total)} {total === 1 ? 'agent or skill' : 'agents and skills'}
      </p>
      {note}
      <FilterBar list={list} counts={counts} />
      {agents.length === 0 ? (
        <EmptyList list={list} total={total} counts={counts} />
      ) : (
        <form action="/compare" method="get">
          <AgentRows agents={agents} start={first} pick={true} />
          {agents.length > 1 && (
            <p class="picked">
              <button type="submit">Compare selected</button>
            </p>
          )}
        </form>
      )}
      <OtherResults others={others} />
      <PageLinks
        offset={list.offset}
        shown={agents.length}
        total={total}
        addressOf={(offset) => listAddress(list, offset)}
      />
    </>
  );
}
