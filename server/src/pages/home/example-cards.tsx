import { agentVerdict } from '../../directory/agent-verdict.ts';
import type { ListedAgent } from '../../directory/lists/link-agents.ts';
import { Foreign } from '../../ui/text.tsx';
import { figuresText, NOT_ENOUGH } from '../../ui/trust-figures.tsx';
import { TrustLine } from '../../ui/trust-line.tsx';
import { VerdictMark } from '../../ui/verdict-mark.tsx';

/** Verdicts as they are, one of each state. */
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
  const isTold = figures !== NOT_ENOUGH && lowerBound !== null;
  return (
    <li class="card">
      <VerdictMark state={verdict.state} />
      <h3>
        <a href={path}>
          <Foreign>{name}</Foreign>
        </a>
      </h3>
      <p class="muted small">
        by <Foreign>{creator.text}</Foreign>
      </p>
      <p class="say">{verdict.sentence}</p>
      {isTold && <TrustLine trust={trust} lowerBound={lowerBound} compact={true} />}
      <p class="figures">{figures}</p>
    </li>
  );
}
