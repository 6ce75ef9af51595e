import type { ListInput } from '../../directory/list-agents.ts';
import { CATEGORIES } from '../../directory/save-listings-row.ts';
import type { ListedAgent } from '../page-data.ts';
import { PAGE_SIZE, pageAddress, TIERS } from '../page-query.ts';
import { AgentRows } from './agent-rows.tsx';
import { formatCount } from './text.tsx';

interface ListViewProps {
  list: ListInput;
  agents: readonly ListedAgent[];
  total: number;
}

const SORT_NAMES = { score_desc: 'Best trust first', score_asc: 'Least trust first', name: 'Name' } as const;

/** The directory: search, filters, one page of entries. */
export function ListView({ list, agents, total }: ListViewProps) {
  const first = list.offset + 1;
  const last = list.offset + agents.length;
  return (
    <>
      <h1>{list.q === null ? 'Agents and skills' : `Search: ${list.q}`}</h1>
      <p class="muted">
        Who made it, where it comes from, how far the evidence speaks for it, and how sure that is.
      </p>
      <Filters list={list} />
      {agents.length === 0 ? (
        <p>
          Nothing matches. Try fewer words or filters, or <a href="/">see everything</a>.
        </p>
      ) : (
        <>
          <p class="muted small">
            {formatCount(first)}–{formatCount(last)} of {formatCount(total)}
          </p>
          <AgentRows agents={agents} start={first} />
        </>
      )}
      <nav class="pages" aria-label="Pages">
        {list.offset > 0 && (
          <a rel="prev" href={pageAddress(list, Math.max(0, list.offset - PAGE_SIZE))}>
            Previous
          </a>
        )}
        {last < total && agents.length > 0 && (
          <a rel="next" href={pageAddress(list, list.offset + PAGE_SIZE)}>
            Next
          </a>
        )}
      </nav>
    </>
  );
}

function Filters({ list }: { list: ListInput }) {
  return (
    <form class="filters" action="/" method="get">
      <label>
        Words <input type="search" name="q" value={list.q ?? ''} maxLength={200} />
      </label>
      <Choice
        name="category"
        label="Category"
        choices={CATEGORIES.map((each) => [each, each])}
        chosen={list.category}
      />
      <Choice name="tier" label="Tier" choices={TIERS.map((each) => [each, each])} chosen={list.tier} />
      <Choice name="sort" label="Order" choices={Object.entries(SORT_NAMES)} chosen={list.sort} />
      <label>
        <input type="checkbox" name="verified" value="true" checked={list.verified === true} /> verified only
      </label>
      <button type="submit">Show</button>
    </form>
  );
}

interface ChoiceProps {
  name: string;
  label: string;
  choices: readonly (readonly [string, string])[];
  chosen: string | null;
}

function Choice({ name, label, choices, chosen }: ChoiceProps) {
  return (
    <label>
      {label}{' '}
      <select name={name}>
        {name !== 'sort' && <option value="">any</option>}
        {choices.map(([value, text]) => (
          <option key={value} value={value} selected={value === chosen}>
            {text}
          </option>
        ))}
      </select>
    </label>
  );
}
