import { type Receipt, TrustDirectory } from '@trust-directory/sdk';

export async function run(baseUrl: string, apiKey: string): Promise<unknown> {
  const client = new TrustDirectory({ baseUrl, apiKey });
  let calls = 0;
  for await (const receipt of client.receipts.list({ state: 'settled', limit: 50 }))
    calls += amountOf(receipt);
  const { data, response, meta } = await client.receipts
    .get('01a1f83b-fa57-7c41-9e0b-5d2f8a6c1e47')
    .withResponse();
  return [calls, data.state, response.status, meta.requestId, meta.attempts];
}

function amountOf({ unit, amount }: Receipt): number {
  return unit === 'call' ? amount : 0;
}

export const expected = [1, 'settled', 200, 'request-1', 1];
