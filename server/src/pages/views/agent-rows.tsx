import type { ListedAgent } from '../page-data.ts';
import { Foreign, formatScore } from './text.tsx';

/** Entries of a list, each with its two scores. */
export function AgentRows({ agents, start = 1 }: { agents: readonly ListedAgent[]; start?: number }) {
  return (
    <ol class="rows" start={start}>
      {agents.map((agent) => (
        <AgentRow key={agent.record.agentId} agent={agent} />
      ))}
    </ol>
  );
}

function AgentRow({ agent: { record, path, creator } }: { agent: ListedAgent }) {
  return (
    <li>
      <div>
        <h2>
          <a href={path}>
            <Foreign>{record.name}</Foreign>
          </a>
        </h2>
        {record.description !== '' && (
          <p>
            <Foreign>{record.description}</Foreign>
          </p>
        )}
        <p class="muted small">
          {record.type} · {record.category} · by{' '}
          <a href={creator.path}>
            <Foreign>{creator.text}</Foreign>
          </a>
          {record.verified && ' · verified'}
        </p>
      </div>
      <p class="figures">
        {record.trust === null || record.confidence === null ? (
          <span class="muted">no score yet</span>
        ) : (
          <>
            <span>
              <b>{formatScore(record.trust)}</b> trust
            </span>
            <span>
              <b>{formatScore(record.confidence)}</b> sure
            </span>
          </>
        )}
        <span class={`chip ${record.tier}`}>{record.tier}</span>
      </p>
    </li>
  );
}
