import { agentVerdict } from '../../../directory/agents/agent-record.ts';
import type { ListedAgent } from '../../../directory/lists/link-agents.ts';
import { ForeignText } from '../../components/formatting.tsx';
import { figuresText, NOT_ENOUGH_EVIDENCE, TrustLine } from '../../components/trust-line.tsx';
import { VerdictMark } from '../../components/verdict-mark.tsx';

/** Shows example verdicts, one of each state. */
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
  const isTold = figures !== NOT_ENOUGH_EVIDENCE && lowerBound !== null;
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
      {isTold && <TrustLine trust={trust} lowerBound={lowerBound} compact={true} />}
      <p class="figures">{figures}</p>
    </li>
  );
}
