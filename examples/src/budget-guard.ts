import type { ResolvedSubject, TrustDirectory } from '@trust-directory/sdk';
import type { Example } from './example.ts';
import { scoreText } from './score-text.ts';

/**
 * Scores agents (the arguments after the first) until the next one would cost more credits than are left of a budget
 * (first argument). Free calls cost no credits. The price is read before each run. A run can exceed the budget only if
 * another program uses up the free calls after that.
 */
export const budgetGuard: Example = async (client, print, budget = '0', ...subjects) => {
  let left = Number(budget);
  if (!(left >= 0)) throw new Error('Name the credits that may be spent, then the subjects.');
  for (const [index, subject] of subjects.entries()) {
    const { credits, source, name } = await priceOf(client, subject);
    if (credits > left) {
      print(
        `${name} would cost ${credits} ${source} credits; ${left} are left. ${subjects.length - index} not scored.`,
      );
      return;
    }
    const run = await client.operations.run({ operation: 'agent_score', subject });
    // The run itself decides what pays. Another program may have used up the free calls since the price was read.
    if (run.charge_source !== 'free') left -= credits || (await paidFor(client, run.ledger_id));
    const scores = run.result?.scores;
    print(`${name}: ${scoreText(scores?.trustScore ?? null, scores?.confidenceScore ?? null)}`);
  }
  print(`All were scored; ${left} credits of the budget are left.`);
};

interface Price {
  credits: number;
  source: string;
  name: ResolvedSubject['name'];
}

async function priceOf(client: TrustDirectory, subject: string): Promise<Price> {
  const quote = await client.operations.quote({ operation: 'agent_score', subject });
  const credits = quote.charge_source === 'free' ? 0 : quote.price_credits;
  return { credits, source: quote.charge_source, name: quote.resolved_subject.name };
}

async function paidFor(client: TrustDirectory, ledgerId: string): Promise<number> {
  return (await client.receipts.get(ledgerId)).price_credits;
}
