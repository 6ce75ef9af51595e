import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { at } from './contract-examples.ts';
import type { StateName } from './targets/states.ts';
import { TARGETS, type Target } from './targets/target.ts';

const RUN = '/api/svc/operations/run';
const contract = at('#/paths/~1api~1svc~1operations~1run/post').node as {
  description: string;
  'x-price-credits': Record<string, number>;
};
const PRICES = Object.entries(contract['x-price-credits']);

/** A subject for each operation. */
const SUBJECTS = {
  agent_score: 'a listed agent',
  skill_score: 'a listed skill',
  creator_score: 'a creator with a listing',
  social_account_score: 'a listed social account',
  messenger_account_score: 'a listed messaging account',
  agent_skill_lineage: 'a listed agent',
} as const satisfies Record<string, StateName>;

it('the contract’s table says the prices that its extension does, for every operation', () => {
  const rows = [...contract.description.matchAll(/^\| `(\w+)` \| (\d+) \| `/gm)];

  expect(rows.map(([, operation, price]) => [operation, Number(price)])).toEqual(PRICES);
  expect(PRICES.map(([operation]) => operation)).toEqual(at('#/components/schemas/Operation').node.enum);
});

describe.each(TARGETS.map(({ name, start }) => [name, start] as const))('on the %s', (_name, start) => {
  let target: Target;
  beforeAll(async () => {
    target = await start(() => undefined);
  });
  afterEach(() => target.restore());
  afterAll(() => target?.stop());

  it.each(PRICES)('%s costs %d credits: so say the dry run and the receipt', async (operation, price) => {
    const name = operation as keyof typeof SUBJECTS;
    const { client, body: about } = await target.given(SUBJECTS[name]);
    const body = { ...about, operation: name };

    const { data: told } = await client.POST(RUN, { body: { ...body, dry_run: true } });
    const { data: run } = await client.POST(RUN, { body });
    const { data: replay } = await client.POST(RUN, { body });

    if (!(run && 'ledger_id' in run)) throw new Error('the call has no receipt');
    const path = { ledger_id: run.ledger_id };
    const { data: receipt } = await client.GET('/api/receipts/{ledger_id}', { params: { path } });
    const { resolved_subject, charge_source, ledger_id } = run;
    expect(told).toMatchObject({
      dry_run: true,
      operation,
      price_credits: price,
      resolved_subject,
      charge_source,
    });
    expect(replay).toMatchObject({ idempotent: true, result: null, operation, ledger_id, resolved_subject });
    expect(replay).toMatchObject({ charge_source, balance_after: run.balance_after });
    expect(receipt).toMatchObject({ ledger_id, operation, price_credits: price, state: 'settled' });
    expect(receipt?.idempotency_key).toBe(body.idempotency_key);
  });
});
