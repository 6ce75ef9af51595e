import { type FreshRun, type Quote, type Run, TrustDirectory } from '@trust-directory/sdk';

export async function run(baseUrl: string, apiKey: string): Promise<unknown> {
  const client = new TrustDirectory({ baseUrl, apiKey, timeoutMs: 10_000, maxRetries: 2 });
  const request = { operation: 'agent_score', subject: 'example-labs/changelog-agent' } as const;

  const quote: Quote<'agent_score'> = await client.operations.quote(request);
  const first: Run<'agent_score'> = await client.operations.run({ ...request, idempotency_key: 'order-1' });
  const again = await client.operations.run(
    { ...request, idempotency_key: 'order-1' },
    { onReplay: 'lookup' },
  );
  const trust = first.result ? trustOf(first) : null;
  const recovered = again.meta.recovered?.trustScore ?? null;
  const same = first.ledger_id === again.ledger_id;
  return [
    quote.price_credits,
    quote.charge_source,
    trust,
    again.result,
    recovered,
    same,
    first.meta.idempotencyKey,
  ];
}

function trustOf(run: FreshRun): number {
  return run.result.scores.trustScore;
}

export const expected = [10, 'free', 60.8, null, 60.8, true, 'order-1'];
