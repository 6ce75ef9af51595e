import { balanceOf, type KeyBalance } from '../../src/index.ts';
import type { Command } from '../command.ts';
import { EXIT } from '../exit-code.ts';
import { timeText } from '../format-score.ts';
import { type Field, fieldLines, type Page, paragraph } from '../text/layout.ts';

/**
 * Shows the account's balances and the key's limits, with the remaining amounts. Needs a key with the scope
 * `balance:read`.
 */
export const balance: Command = {
  name: 'balance',
  argument: '',
  argumentCount: [0, 0],
  summary:
    'Show what is left of your plan, balances and key limits. Needs a key with the scope balance:read.',
  options: {},
  examples: [
    ['trust-directory balance', 'What is left'],
    ["trust-directory balance --json | jq '[.buckets[].left] | add'", 'For a script'],
  ],
  async run({ output, signal, clientWithKey }) {
    const client = await clientWithKey();
    output.result(await balanceOf(client).get({ signal }), balanceLines);
    return EXIT.ok;
  },
};

function balanceLines({ plan, buckets, access_key }: KeyBalance, page: Page): string[] {
  const balances = buckets.map(({ charge_source, unit, left, total, period }): Field => {
    return [charge_source, `${amount(left, unit)} of ${total} left until ${timeText(period.period_end)}`];
  });
  const limits = (access_key?.limits ?? []).map(
    ({ unit, left, total }): Field => ['this key', `${amount(left, unit)} of ${total} left this month`],
  );
  return [...paragraph(`Plan ${plan}`, page, 'bold'), ...fieldLines([...balances, ...limits], page)];
}

function amount(left: number, unit: string): string {
  return `${left} ${unit}${left === 1 ? '' : 's'}`;
}
