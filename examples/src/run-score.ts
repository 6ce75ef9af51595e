import { randomUUID } from 'node:crypto';
import type { Operation, Run, TrustDirectory } from '@trust-directory/sdk';
import { adviceOn } from './advice.ts';
import type { Example, Print } from './example.ts';
import { scoreText } from './score-text.ts';

interface Request {
  operation: Operation;
  subject: string;
}

/**
 * Scores a subject (first argument, by default the most trusted entry) with an operation (second argument). It prints
 * the price and the idempotency key first, and shows that repeating the call with this key is free.
 */
export const runScore: Example = async (client, print, subject, operation = 'agent_score') => {
  // Printed before the first attempt, so that the call can be repeated with this key if the program crashes.
  const idempotencyKey = randomUUID();
  try {
    const request = subject ? { subject, operation: operation as Operation } : await mostTrusted(client);
    const quote = await client.operations.quote(request);
    print(
      `${request.operation} of ${quote.resolved_subject.name} costs ${priceText(quote.price_credits, quote.charge_source)}.`,
    );

    print(`Running with the idempotency key ${idempotencyKey}.`);
    showRun(await client.operations.run({ ...request, idempotency_key: idempotencyKey }), print);

    print('The same once more, as after a lost answer:');
    showRun(await client.operations.run({ ...request, idempotency_key: idempotencyKey }), print);
  } catch (error) {
    print(adviceOn(error));
    throw error;
  }
};

async function mostTrusted(client: TrustDirectory): Promise<Request> {
  const { data } = await client.agents.list({ limit: 1 });
  const [entry] = data;
  if (!entry) throw new Error('The directory is empty: name a subject.');
  return { subject: entry.id, operation: entry.type === 'skill' ? 'skill_score' : 'agent_score' };
}

function showRun(run: Run, print: Print): void {
  if (!run.result) {
    print(
      `  settled before under receipt ${run.ledger_id}; nothing was charged, and the score isn't repeated`,
    );
    return;
  }
  const { scores, verification_status: status, score_evidence: evidence } = run.result;
  print(
    `  ${scoreText(scores.trustScore, scores.confidenceScore)} (${status}), as of ${evidence.score_version}`,
  );
  print(`  receipt ${run.ledger_id}, paid from ${run.charge_source}, ${leftText(run)}`);
}

function priceText(priceCredits: number, chargeSource: string): string {
  return chargeSource === 'free' ? 'one free call' : `${priceCredits} ${chargeSource} credits`;
}

/** Formats what is left of the balance. Null means that the balance could not be read, not that nothing is left. */
function leftText({ balance_after: balance, charge_source: source }: Run): string {
  if (!balance) return 'balance unknown';
  const left = balance.included_credits - balance.included_used;
  return `${left} ${source === 'free' ? 'free calls' : 'credits'} left`;
}
