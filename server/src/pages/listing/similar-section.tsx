import { agentVerdict } from '../../directory/agent-verdict.ts';
import type { ListedAgent } from '../../directory/lists/link-agents.ts';
import { Foreign } from '../../ui/text.tsx';
import { VerdictMark } from '../../ui/verdict-mark.tsx';
import { compareAddress } from '../compare/compare-query.ts';

interface SimilarSectionProps {
  /** Null for what is inside a repository: only listings can be compared. */
  agentId: string | null;
  similar: readonly ListedAgent[];
}

/** Others that share its tags and words, each with the way to compare the two. */
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
              <Foreign>{record.name}</Foreign>
            </a>
            <span class="note">
              {record.type}, {record.category}
              {agentId !== null && (
                <>
                  {' '}
                  ·{' '}
                  <a href={compareAddress([agentId, record.agentId])}>
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
          <a href={compareAddress(together)}>Compare the first {together.length - 1} with this</a>
        </p>
      )}
    </section>
  );
}

function Verdict({ record }: Pick<ListedAgent, 'record'>) {
  const verdict = agentVerdict(record);
  return verdict && <VerdictMark state={verdict.state} alone={true} />;
}
