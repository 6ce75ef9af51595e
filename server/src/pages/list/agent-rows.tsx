import { agentVerdict } from '../../directory/agent-verdict.ts';
import type { ListedAgent } from '../../directory/lists/link-agents.ts';
import { Foreign } from '../../ui/text.tsx';
import { figuresText, NOT_ENOUGH } from '../../ui/trust-figures.tsx';
import { TrustLine } from '../../ui/trust-line.tsx';
import { VerdictMark } from '../../ui/verdict-mark.tsx';

interface AgentRowsProps {
  agents: readonly ListedAgent[];
  start?: number;
  /** Of the entries' headings: one below the heading that the list stands under. */
  level?: 2 | 3;
}

/** Entries of a list, each with its verdict and its two scores. */
export function AgentRows({ agents, start = 1, level = 2 }: AgentRowsProps) {
  return (
    <ol class="rows" start={start}>
      {agents.map((agent) => (
        <AgentRow key={agent.record.agentId} agent={agent} level={level} />
      ))}
    </ol>
  );
}

function AgentRow({ agent, level }: { agent: ListedAgent; level: 2 | 3 }) {
  const { record, path, creator } = agent;
  const Title = level === 2 ? 'h2' : 'h3';
  return (
    <li>
      <div>
        <Title>
          <a href={path}>
            <Foreign>{record.name}</Foreign>
          </a>
        </Title>
        {record.description !== '' && (
          <p class="clamp">
            <Foreign>{record.description}</Foreign>
          </p>
        )}
        <p class="muted small">
          {record.type} · {record.category}
          {record.trust !== null && ` · tier ${record.tier}`} · by{' '}
          <a href={creator.path}>
            <Foreign>{creator.text}</Foreign>
          </a>
        </p>
      </div>
      <div class="figures">
        <Figures agent={agent} />
      </div>
    </li>
  );
}

function Figures({ agent: { record, lowerBound } }: { agent: ListedAgent }) {
  const { trust, confidence } = record;
  const verdict = agentVerdict(record);
  if (trust === null || confidence === null) return <span>no score yet</span>;
  const figures = figuresText({ trust, confidence, verdict });
  const isTold = figures !== NOT_ENOUGH && lowerBound !== null;
  return (
    <>
      {verdict !== null && <VerdictMark state={verdict.state} />}
      {isTold && <TrustLine trust={trust} lowerBound={lowerBound} compact={true} />}
      {figures}
    </>
  );
}
