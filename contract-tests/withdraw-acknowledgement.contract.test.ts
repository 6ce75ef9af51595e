import { expect, it } from 'vitest';
import { consoleAnswers, refusesForeignPages } from './console-answers.ts';
import { describeOperation } from './describe-operation.ts';
import type { ApiClient } from './targets/states.ts';

const PATH = '/api/console/lineage/{childId}/acknowledgement';
const judge = (client: ApiClient, childId = 'AGT-ZZZZZZZZ') =>
  client.DELETE(PATH, { params: { path: { childId } } });

describeOperation('withdrawAcknowledgement', (operation) => {
  const { given, answers } = operation;

  answers(200, () => {
    it('with the child, whose word stands alone again', async () => {
      const { client, childId } = await given('an acknowledged child');

      const { data } = await judge(client, childId);

      expect(data).toMatchObject({ agent: { id: childId }, acknowledgedAt: null });
      expect(data?.trustEquityFlow).toBeGreaterThan(0);
    });

    it('again where it is so already', async () => {
      const { client, childId } = await given('an acknowledged child');

      const { data: first } = await judge(client, childId);
      const { data: second } = await judge(client, childId);

      expect(second?.acknowledgedAt).toEqual(first?.acknowledgedAt);
    });
  });

  answers(400, () => {
    it('to an id of another shape', async () => {
      const { client } = await given('a console session');

      const { error } = await judge(client, 'gemini-cli');

      expect(error).toMatchObject({ error: 'invalid_request' });
    });
  });

  answers(403, () => {
    it('to a creator who has proved nothing', async () => {
      const { client, childId } = await given('a child of an unverified creator');

      const { error } = await judge(client, childId);

      expect(error).toMatchObject({ error: 'forbidden', message: expect.stringContaining('verified') });
    });

    refusesForeignPages(operation, judge);
  });

  answers(404, () => {
    it('where the child builds on the work of somebody else', async () => {
      const { client, childId } = await given('a child of somebody else');

      const { error } = await judge(client, childId);

      expect(error).toMatchObject({ error: 'not_found' });
    });
  });

  consoleAnswers(operation, judge);
});
