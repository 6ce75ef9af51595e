import { agentVerdict } from '../../../directory/agents/agent-record.ts';
import type { ListedAgent } from '../../../directory/lists/link-agents.ts';
import {
  ForeignText,
  formatAge,
  formatCompact,
  formatDays,
  formatTrust,
} from '../../components/formatting.tsx';
import { figuresText, NOT_ENOUGH_EVIDENCE, TrustLine, VerdictMark } from '../../components/score-figures.tsx';
import { listHref } from '../list/page-links.tsx';
import type { ShortFact, ShortList } from './home.page.tsx';

/** Shows a card with the verdict of each example listing. */
export function ExampleCards({ examples }: { examples: readonly ListedAgent[] }) {
  if (examples.length === 0) return null;
  return (
    <section aria-labelledby="examples">
      <h2 id="examples">
        Example verdicts <a href="/method">how scores are made</a>
      </h2>
      <ul class="cards">
        {examples.map((example) => (
          <Example key={example.record.agentId} example={example} />
        ))}
      </ul>
    </section>
  );
}

function Example({ example: { record, path, creator, lowerBound } }: { example: ListedAgent }) {
  const { name, trust, confidence } = record;
  const verdict = agentVerdict(record);
  if (verdict === null || trust === null || confidence === null) return null;
  const figures = figuresText({ trust, confidence, verdict });
  const hasFigures = figures !== NOT_ENOUGH_EVIDENCE && lowerBound !== null;
  return (
    <li class="card">
      <VerdictMark state={verdict.state} />
      <h3>
        <a href={path}>
          <ForeignText>{name}</ForeignText>
        </a>
      </h3>
      <p class="muted small">
        by <ForeignText>{creator.text}</ForeignText>
      </p>
      <p class="say">{verdict.sentence}</p>
      {hasFigures && <TrustLine trust={trust} lowerBound={lowerBound} compact={true} />}
      <p class="figures">{figures}</p>
    </li>
  );
}

/** Shows the short lists that have entries, each with a link to its full list. */
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
        <a href={listHref(asked)}>
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

/** Formats the days on which the figures of a short list were read; null if the list shows neither stars nor commits. */
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
      {verdict !== null && <VerdictMark state={verdict.state} iconOnly={true} />}
      <a class="clamp one" href={agent.path}>
        <ForeignText>{agent.record.name}</ForeignText>
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
