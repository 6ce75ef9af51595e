import { agentVerdict } from '../../directory/agent-verdict.ts';
import type { ListedAgent } from '../../directory/lists/link-agents.ts';

/** A call that works as it stands, about an agent that is there, with the head of what it answers. */
export function DeveloperSection({ example, site }: { example: ListedAgent; site: string }) {
  const { agentId } = example.record;
  return (
    <section class="card developers" aria-labelledby="developers">
      <div>
        <h2 id="developers">For developers</h2>
        <p>Reading needs no key. You pay once per score, however often you retry.</p>
        <p>
          <a href="/docs">Documentation</a> · <a href="/pricing">Prices</a> ·{' '}
          <a href="/openapi.yaml">OpenAPI document</a>
        </p>
      </div>
      <div>
        <div class="copy" data-copy="curl">
          <pre>{`curl '${site}/api/agents/${agentId}'`}</pre>
        </div>
        <pre>{answerHead(example)}</pre>
      </div>
    </section>
  );
}

/** The fields that the answer is asked for, as it has them. */
function answerHead({ record }: ListedAgent): string {
  const { name, trust: trustScore, confidence } = record;
  const verdict = agentVerdict(record);
  const shown = {
    name,
    trustScore,
    confidence,
    verdict: verdict && { state: verdict.state, sentence: verdict.sentence },
  };
  return JSON.stringify(shown, null, 2).replace(/\n}$/, ',\n  …\n}');
}
