import { expect, it } from 'vitest';
import { OPERATIONS, type PlanBook } from '../../access/plans/plans.ts';
import { PlansTable, PricesTable } from './price-tables.tsx';
import { renderMarkup } from './send-html.ts';

const PLANS: PlanBook['plans'] = {
  free: { freeCalls: 1_000, includedCredits: 0, overageCapCredits: null, activeKeys: 1 },
  builder: { freeCalls: 25, includedCredits: 2_000, overageCapCredits: 500, activeKeys: 5 },
} as unknown as PlanBook['plans'];

it("marks the reader's plan, and none without a reader", () => {
  const own = renderMarkup(PlansTable({ plans: PLANS, current: 'builder' }));
  const open = renderMarkup(PlansTable({ plans: PLANS }));

  expect(own.match(/class="mine"/g)).toHaveLength(1);
  expect(own).toMatch(/class="mine"><th scope="row"><b>builder<\/b><span class="note">yours/);
  expect(open).not.toMatch(/mine|yours/);
});

it('shows missing benefits as a dash, and large numbers with separators', () => {
  const [, , free = ''] = renderMarkup(PlansTable({ plans: PLANS })).split('<tr');

  expect([...free.matchAll(/<td[^>]*>([^<]*)/g)].map(([, cell]) => cell)).toEqual(['1,000', '–', '–', '1']);
});

it('has a price and words for every operation', () => {
  const prices = Object.fromEntries(OPERATIONS.map((name, place) => [name, place + 2]));
  const table = renderMarkup(PricesTable({ prices: prices as PlanBook['prices'] }));

  const rows = [
    ...table.matchAll(/<th scope="row">([^<]+)<code class="note">(\w+)<\/code><\/th><td class="n">(\d+)/g),
  ];
  expect(rows.map(([, , name, price]) => [name, Number(price)])).toEqual(Object.entries(prices));
  expect(new Set(rows.map(([, words]) => words)).size).toBe(OPERATIONS.length);
});
