import { agentVerdict } from '../../../directory/agents/agent-record.ts';
import type { ListedAgent } from '../../../directory/lists/link-agents.ts';
import type { Improvement } from '../../../scoring/improvements/find-improvements.ts';
import { ForeignText } from '../../components/formatting.tsx';
import { claimPath, WaysList } from '../../components/owner-steps.tsx';
import { figuresText, VerdictMark } from '../../components/score-figures.tsx';
import { DateTime, Notice } from '../frame/console-document.tsx';
import { Form } from '../frame/fields.tsx';
import { CursorLinks, hrefWith } from '../frame/filters.tsx';
import { type ShownClaims, WaitingClaims } from './claim.page.tsx';
import { stepPath } from './listing-steps.tsx';

/** Outcomes of refreshing a score: a new score, already scored within the last minute, or not enough evidence. */
export const OUTCOMES = ['scored', 'fresh', 'incomplete'] as const;

/** Listing whose score was just refreshed. */
export interface Refreshed {
  agent: ListedAgent;
  outcome: (typeof OUTCOMES)[number];
}

interface AgentListProps {
  agents: readonly ListedAgent[];
  /** Ways to raise each score, by subject id. */
  ways: ReadonlyMap<string, readonly Improvement[]>;
  claims: ShownClaims;
  /** Cursor of the shown page; null on the first page. */
  cursor: string | null;
  nextCursor: string | null;
  refreshed: Refreshed | null;
  /** Reason why refreshing a score failed; null otherwise. */
  failure: string | null;
}

const LIST = '/console/agents';

/** Shows the account's agents and skills, newest first, with their scores and buttons to refresh these. */
export function AgentList({ agents, ways, claims, cursor, nextCursor, refreshed, failure }: AgentListProps) {
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
              <a href={LIST}>Go to the first page</a>
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
      <WaitingClaims claims={claims} />
      <CursorLinks
        first={{ text: 'Newest', href: cursor === null ? null : LIST }}
        next={{ text: 'Older', href: nextCursor && hrefWith(LIST, { cursor: nextCursor }) }}
      />
    </>
  );
}

function RefreshedNotice({ refreshed: { agent, outcome } }: { refreshed: Refreshed }) {
  const name = (
    <a href={agent.path}>
      <ForeignText>{agent.record.name}</ForeignText>
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
  ways: readonly Improvement[];
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
            <ForeignText>{name}</ForeignText>
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
            <WaysList ways={ways} type={type} claimHref={claimPath(repositoryUrl, agentId)} />
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

/** Shows trust, confidence and tier, and when the score was computed. */
function Score({ agent: { record } }: { agent: ListedAgent }) {
  const { trust, confidence, scoreVersion } = record;
  if (trust === null || confidence === null || scoreVersion === null) return <>No score yet</>;
  return (
    <>
      <strong>{figuresText({ trust, confidence, verdict: agentVerdict(record) })}</strong> · tier{' '}
      {record.tier} ·{' '}
      <span class="together">
        scored <DateTime at={scoreVersion} />
      </span>
    </>
  );
}
