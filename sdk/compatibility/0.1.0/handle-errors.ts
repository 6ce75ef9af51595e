import {
  ApiError,
  ConflictError,
  ConnectionError,
  NotFoundError,
  RateLimitError,
  TimeoutError,
  TrustDirectory,
  TrustDirectoryError,
} from '@trust-directory/sdk';

export async function run(baseUrl: string, apiKey: string): Promise<unknown> {
  const client = new TrustDirectory({ baseUrl, apiKey, maxRetries: 0 });
  const told: string[] = [];
  for (const subject of ['nobody', 'ambiguous', 'limited']) {
    told.push(await client.subjects.lookup(subject).then(() => 'found', describe));
  }
  const unreachable = new TrustDirectory({ baseUrl: 'http://127.0.0.1:2', maxRetries: 0 });
  told.push(await unreachable.agents.list().then(() => 'found', describe));
  return told;
}

function describe(error: unknown): string {
  if (error instanceof NotFoundError) return `${error.status} ${error.code}`;
  if (error instanceof ConflictError) return error.candidates.map(({ canonical_id }) => canonical_id).join();
  if (error instanceof RateLimitError) return `wait ${error.retryAfterMs}`;
  if (error instanceof ApiError) return `${error.requestId} ${error.ledgerId}`;
  if (error instanceof TimeoutError || error instanceof ConnectionError) return `${error.attempts} attempt`;
  return error instanceof TrustDirectoryError ? `${error.idempotencyKey}` : 'a fault of the program';
}

export const expected = ['404 not_found', 'b6f0a1de-52c7-4e0a-9c2b-7d41f0e35a88', 'wait 7000', '1 attempt'];
