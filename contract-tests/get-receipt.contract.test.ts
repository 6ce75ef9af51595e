import { expect, it } from 'vitest';
import { describeOperation } from './describe-operation.ts';
import { receiptAnswers } from './read-answers.ts';

const PATH = '/api/receipts/{ledger_id}';
const ANY_ID = '01a1f83b-fa57-7c41-9e0b-5d2f8a6c1e47';
const by = (ledger_id: string) => ({ params: { path: { ledger_id } } });

describeOperation('getReceipt', (operation) => {
  const { given, answers } = operation;

  answers(200, () => {
    it('with what a settled call was about, what paid for it and the score that it made', async () => {
      const { client, ledgerId } = await given('a receipt of a settled call');

      const { data } = await client.GET(PATH, by(ledgerId));

      expect(data).toMatchObject({
        ledger_id: ledgerId,
        state: 'settled',
        attempt: 1,
        operation: 'agent_score',
        price_credits: 10,
        amount: 1,
        unit: 'call',
        charge_source: 'free',
        period: { period_kind: 'month' },
        score_version: expect.any(String),
        failure: null,
        ended_at: expect.any(String),
      });
      expect(data?.subject?.canonical_id).toEqual(expect.any(String));
      expect(data?.key_id).toEqual(expect.any(String));
    });

    it('with why a failed call was not charged', async () => {
      const { client, ledgerId } = await given('a receipt of a failed call');

      const { data } = await client.GET(PATH, by(ledgerId));

      expect(data).toMatchObject({ state: 'failed', failure: expect.any(String), score_version: null });
    });

    it('of a call under way, which has no end yet', async () => {
      const { client, ledgerId } = await given('a receipt of a call under way');

      const { data } = await client.GET(PATH, by(ledgerId));

      expect(data).toMatchObject({ state: 'reserved', failure: null, score_version: null, ended_at: null });
    });
  });

  answers(400, () => {
    it.each(['no-uuid', `${ANY_ID}0`, ANY_ID.replaceAll('-', '')])('to the id %s', async (ledgerId) => {
      const { client } = await given('an account without receipts');

      const { error } = await client.GET(PATH, by(ledgerId));

      expect(error).toMatchObject({ error: 'invalid_request', status: 400 });
    });
  });

  answers(404, () => {
    it('to a receipt of another account', async () => {
      const { client, ledgerId } = await given('a receipt of another account');

      const { error } = await client.GET(PATH, by(ledgerId));

      expect(error).toMatchObject({ error: 'not_found', status: 404 });
    });
  });

  receiptAnswers(operation, (client) => client.GET(PATH, by(ANY_ID)));
});
