import { agentVerdict } from '../../../directory/agents/agent-record.ts';
import type { ListedAgent } from '../../../directory/lists/link-agents.ts';
import { ForeignText } from '../../components/formatting.tsx';
import { VerdictMark } from '../../components/verdict-mark.tsx';
import { compareHref } from './compare-view.tsx';

interface SimilarSectionProps {
  /** Null for an artifact: only listings can be compared. */
  agentId: string | null;
  similar: readonly ListedAgent[];
}

/** Shows similar listings, each with a link that compares the two. */
export function SimilarSection({ agentId, similar }: SimilarSectionProps) {
  if (similar.length === 0) return null;
  const first = similar.slice(0, 3).map(({ record }) => record.agentId);
  const together = agentId === null ? [] : [agentId, ...first];
  return (
    <section class="card" aria-labelledby="similar">
      <h2 id="similar">Similar</h2>
      <ul class="tree">
        {similar.map(({ record, path }) => (
          <li key={record.agentId}>
            <Verdict record={record} />
            <a href={path}>
              <ForeignText>{record.name}</ForeignText>
            </a>
            <span class="note">
              {record.type}, {record.category}
              {agentId !== null && (
                <>
                  {' '}
                  ·{' '}
                  <a href={compareHref([agentId, record.agentId])}>
                    compare<span class="hidden"> with {record.name}</span>
                  </a>
                </>
              )}
            </span>
          </li>
        ))}
      </ul>
      {together.length > 2 && (
        <p>
          <a href={compareHref(together)}>Compare the first {together.length - 1} with this</a>
        </p>
      )}
    </section>
  );
}

function Verdict({ record }: Pick<ListedAgent, 'record'>) {
  const verdict = agentVerdict(record);
  return verdict && <VerdictMark state={verdict.state} iconOnly={true} />;
}
