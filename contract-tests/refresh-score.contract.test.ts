import { expect, it } from 'vitest';
import { consoleAnswers, refusesForeignPages } from './console-answers.ts';
import { describeOperation } from './describe-operation.ts';
import type { ApiClient } from './targets/states.ts';

const PATH = '/api/console/agents/{id}/score';
const ANY = 'AGT-7K2MQ9XD';
const refresh = (client: ApiClient, id = ANY) => client.POST(PATH, { params: { path: { id } } });

describeOperation('refreshScore', (operation) => {
  const { target, given, answers } = operation;

  answers(200, () => {
    it('with a new score, as the directory shows it from then on', async () => {
      const { client, id } = await given('an agent of one’s own');
      const { data: before } = await client.GET('/api/agents/{id}', { params: { path: { id } } });

      const { data } = await refresh(client, id);

      expect(data).toMatchObject({ id, trustScore: expect.any(Number), confidence: expect.any(Number) });
      expect(data?.verdict?.sentence).toMatch(/^[A-Z].*\.$/);
      const codes = data?.verdict?.reasons.map(({ code }) => code) ?? [];
      expect(codes.filter((code) => code.startsWith('owner_'))).toHaveLength(1);
      // The mock stores nothing.
      if (target === 'server') {
        expect(String(data?.scoreVersion) > String(before?.scoreVersion)).toBe(true);
        const { data: after } = await client.GET('/api/agents/{id}', { params: { path: { id } } });
        expect(after).toEqual(data);
      }
    });

    it('with the same score within a minute', async () => {
      const { client, id } = await given('an agent of one’s own');

      const { data: first } = await refresh(client, id);
      const { data: second } = await refresh(client, id);

      expect(second).toEqual(first);
    });
  });

  answers(400, () => {
    it('to an id that is none', async () => {
      const { client } = await given('a console session');

      const { error } = await refresh(client, 'mine');

      expect(error).toMatchObject({ error: 'invalid_request' });
    });
  });

  answers(403, () => refusesForeignPages(operation, refresh));

  answers(404, () => {
    it('to an agent of somebody else', async () => {
      const { client, id } = await given('an agent of somebody else');

      const { error } = await refresh(client, id);

      expect(error).toMatchObject({ error: 'not_found' });
    });
  });

  consoleAnswers(operation, refresh);

  answers(429, () => {
    it('where it was just to be scored, and has no newer score', async () => {
      const { client, id } = await given('an agent that was just to be scored');

      const { error, response } = await refresh(client, id);

      expect(error).toMatchObject({ error: 'rate_limited', message: expect.stringContaining('newer score') });
      expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(0);
    });
  });

  answers(503, () => {
    it('while it cannot be scored', async () => {
      const { client, id } = await given('an agent that cannot be scored');

      const { error, response } = await refresh(client, id);

      expect(error).toMatchObject({
        error: 'unavailable',
        message: expect.stringContaining('is unchanged'),
      });
      expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(0);
    });
  });
});
