import { agentVerdict } from '../../directory/agent-verdict.ts';
import type { ListedAgent } from '../../directory/lists/link-agents.ts';
import type { WayToRaise } from '../../scoring/raise/ways-to-raise.ts';
import { claimPath } from '../../ui/claim-path.ts';
import { Foreign } from '../../ui/text.tsx';
import { figuresText } from '../../ui/trust-figures.tsx';
import { VerdictMark } from '../../ui/verdict-mark.tsx';
import { WaysList } from '../../ui/ways-list.tsx';
import { CursorLinks } from '../frame/cursor-links.tsx';
import { addressWith } from '../frame/filters.tsx';
import { Form } from '../frame/form.tsx';
import { Instant } from '../frame/moments.tsx';
import { Notice } from '../frame/notice.tsx';
import { stepPath } from './listing-steps.tsx';

/** What refreshing a score may have come to. */
export const OUTCOMES = ['scored', 'fresh', 'incomplete'] as const;

/** A listing whose score was just refreshed. */
export interface Refreshed {
  agent: ListedAgent;
  outcome: (typeof OUTCOMES)[number];
}

interface AgentListProps {
  agents: readonly ListedAgent[];
  /** What would raise each score, by subject id. */
  ways: ReadonlyMap<string, readonly WayToRaise[]>;
  /** Of this page; null on the first. */
  cursor: string | null;
  nextCursor: string | null;
  refreshed: Refreshed | null;
  /** Why a score was not refreshed. */
  failure: string | null;
}

const LIST = '/console/agents';

/** One's own agents and skills, newest first, with their scores and what refreshes them. */
export function AgentList({ agents, ways, cursor, nextCursor, refreshed, failure }: AgentListProps) {
  return (
    <>
      <div class="head">
        <div>
          <h1>Agents and skills</h1>
          <p class="lead">Listings under your handle. Refreshing a score is free and creates no receipt.</p>
        </div>
        <p>
          <a class="button primary" href="/console/register">
            Register an agent or skill
          </a>
        </p>
      </div>
      {failure !== null && <Notice bad={true}>{failure}</Notice>}
      {refreshed !== null && <RefreshedNotice refreshed={refreshed} />}
      <section class="card" aria-label="Your agents and skills">
        {agents.length === 0 ? (
          <p>
            {cursor === null ? 'Nothing is listed yet.' : 'This page does not exist.'}{' '}
            {cursor === null ? (
              <a href="/console/register">Register an agent or a skill</a>
            ) : (
              <a href={LIST}>See its first page</a>
            )}
            .
          </p>
        ) : (
          <ul class="rows entries">
            {agents.map((agent) => (
              <AgentRow
                key={agent.record.agentId}
                agent={agent}
                ways={ways.get(agent.record.subjectId) ?? []}
                cursor={cursor}
              />
            ))}
          </ul>
        )}
      </section>
      <CursorLinks
        first={{ text: 'Newest', href: cursor === null ? null : LIST }}
        next={{ text: 'Older', href: nextCursor && addressWith(LIST, { cursor: nextCursor }) }}
      />
    </>
  );
}

function RefreshedNotice({ refreshed: { agent, outcome } }: { refreshed: Refreshed }) {
  const name = (
    <a href={agent.path}>
      <Foreign>{agent.record.name}</Foreign>
    </a>
  );
  if (outcome === 'incomplete') {
    return (
      <Notice>There is not enough evidence for a new score of {name}. The previous one is unchanged.</Notice>
    );
  }
  return (
    <Notice>
      {name} {outcome === 'scored' ? 'has a new score' : 'was scored within the last minute'}:{' '}
      <Score agent={agent} />.
    </Notice>
  );
}

interface AgentRowProps {
  agent: ListedAgent;
  ways: readonly WayToRaise[];
  cursor: string | null;
}

function AgentRow({ agent, ways, cursor }: AgentRowProps) {
  const { record } = agent;
  const { agentId, name, type, verified, repositoryUrl } = record;
  const verdict = agentVerdict(record);
  return (
    <li>
      <div>
        <h2>
          <a href={agent.path}>
            <Foreign>{name}</Foreign>
          </a>
        </h2>
        {verdict !== null && (
          <p class="small">
            <VerdictMark state={verdict.state} /> {verdict.sentence}
          </p>
        )}
        <p class="small">
          <Score agent={agent} />
        </p>
        <p class="muted small">
          {type} · {verified ? 'verified' : 'not verified'} · <code>{agentId}</code>
        </p>
        <p class="small row">
          {!verified && (
            <a href={stepPath(agentId, 'Claim')}>
              Claim it<span class="hidden">: {name}</span>
            </a>
          )}
          <a href={stepPath(agentId, 'Badge')}>
            Badge<span class="hidden"> of {name}</span>
          </a>
        </p>
        {ways.length > 0 && (
          <details>
            <summary>What would raise the score</summary>
            <WaysList ways={ways} claimHref={claimPath(repositoryUrl, agentId)} />
          </details>
        )}
      </div>
      <div class="row actions">
        <Form action={`${LIST}/${agentId}/score`} class="inline">
          {cursor !== null && <input type="hidden" name="cursor" value={cursor} />}
          <button type="submit" aria-label={`Refresh score of ${name}`}>
            Refresh score
          </button>
        </Form>
      </div>
    </li>
  );
}

/** Trust and confidence, and when they were made. */
function Score({ agent: { record } }: { agent: ListedAgent }) {
  const { trust, confidence, scoreVersion } = record;
  if (trust === null || confidence === null || scoreVersion === null) return <>No score yet</>;
  return (
    <>
      <strong>{figuresText({ trust, confidence, verdict: agentVerdict(record) })}</strong> · tier{' '}
      {record.tier} ·{' '}
      <span class="together">
        scored <Instant at={scoreVersion} />
      </span>
    </>
  );
}
