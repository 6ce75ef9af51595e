import { agentVerdict } from '../../directory/agent-verdict.ts';
import type { ListedAgent } from '../../directory/lists/link-agents.ts';
import { Foreign, formatAge, formatCompact, formatDays, formatTrust } from '../../ui/text.tsx';
import { VerdictMark } from '../../ui/verdict-mark.tsx';
import { listAddress } from '../list/page-query.ts';
import type { ShortFact, ShortList } from './home-page-data.ts';

/** The heads of some lists, each with the way to the whole. */
export function ShortLists({ lists }: { lists: readonly ShortList[] }) {
  return (
    <div class="columns">
      {lists
        .filter(({ agents }) => agents.length > 0)
        .map((list) => (
          <Short key={list.title} list={list} />
        ))}
    </div>
  );
}

function Short({ list: { title, asked, fact, agents } }: { list: ShortList }) {
  const id = title.toLowerCase().replaceAll(' ', '-');
  const days = daysOfFigures(fact, agents);
  return (
    <section aria-labelledby={id}>
      <h2 id={id}>
        {title} {days !== null && <span class="muted small">(data of {days}) </span>}
        <a href={listAddress(asked)}>
          all<span class="hidden"> {title.toLowerCase()}</span>
        </a>
      </h2>
      <ol class="mini">
        {agents.map((agent) => (
          <Entry key={agent.record.agentId} agent={agent} fact={fact} />
        ))}
      </ol>
    </section>
  );
}

/** Returns the days on which the repositories' figures in a list were read; null of a list without such figures. */
function daysOfFigures(fact: ShortFact, agents: readonly ListedAgent[]): string | null {
  if (fact !== 'stars' && fact !== 'commit') return null;
  const shown = agents.filter(
    ({ record }) => (fact === 'stars' ? record.stars : record.lastCommitAt) !== null,
  );
  return formatDays(shown.flatMap(({ figuresAt }) => figuresAt ?? []));
}

function Entry({ agent, fact }: { agent: ListedAgent; fact: ShortFact }) {
  const verdict = agentVerdict(agent.record);
  return (
    <li>
      {verdict !== null && <VerdictMark state={verdict.state} alone={true} />}
      <a class="clamp one" href={agent.path}>
        <Foreign>{agent.record.name}</Foreign>
      </a>
      <span>{FACTS[fact](agent)}</span>
    </li>
  );
}

const FACTS: Readonly<Record<ShortFact, (agent: ListedAgent) => string | null>> = {
  stars: ({ record: { stars } }) => (stars === null ? null : `${formatCompact(stars)} stars`),
  listed: ({ record: { listedAt }, readAt }) => formatAge(listedAt.toISOString(), readAt),
  commit: ({ record: { lastCommitAt }, readAt }) =>
    lastCommitAt === null ? null : formatAge(lastCommitAt.toISOString(), readAt),
  trust: ({ record: { trust } }) => (trust === null ? null : `trust ${formatTrust(trust)}`),
};
