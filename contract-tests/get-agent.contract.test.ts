import { expect, it } from 'vitest';
import { describeOperation } from './describe-operation.ts';
import { readAnswers } from './read-answers.ts';

const ANY_ID = 'AGT-7K2MQ9XD';
const by = (id: string) => ({ params: { path: { id } } });

describeOperation('getAgent', (operation) => {
  const { target, given, answers } = operation;

  answers(200, () => {
    it('with the record and its scores; those of an unverified creator are null', async () => {
      const { client, id } = await given('an agent of an unverified creator');

      const { data } = await client.GET('/api/agents/{id}', by(id));

      expect(data).toMatchObject({ id, trustScore: expect.any(Number), confidence: expect.any(Number) });
      expect(data?.repoHost).toMatchObject({ stars: expect.any(Number), lastCommit: expect.any(String) });
      expect(data?.creator).toMatchObject({ verified: false, trustScore: null, confidence: null });
      expect(data?.verdict?.sentence).toMatch(/^[A-Z].*\.$/);
      expect(data?.verdict?.state).not.toBe('verified');
    });

    it('with null where no metric of the repository is known', async () => {
      const { client, id } = await given('an agent without repository metrics');

      const { data } = await client.GET('/api/agents/{id}', by(id));

      expect(data?.repoHost).toBeNull();
      expect(data?.repositoryUrl).toMatch(/^https:/);
    });

    it('with its packages, and whether each is confirmed, named or missing', async () => {
      const { client, id } = await given('an agent with packages');

      const { data } = await client.GET('/api/agents/{id}', by(id));

      expect(data?.packageConfirmed).toBe(false);
      expect(data?.packages).toEqual([
        { registry: 'npm', name: 'example-changelog', standing: 'confirmed' },
        { registry: 'pypi', name: 'example-unpublished', standing: 'missing' },
        { registry: 'oci', name: 'ghcr.io/example-labs/changelog:1.2.0', standing: 'confirmed' },
      ]);
    });

    it('with null where there is no confirmed score', async () => {
      const { client, id } = await given('an agent without a score');

      const { data } = await client.GET('/api/agents/{id}', by(id));

      expect(data).toMatchObject({ trustScore: null, confidence: null, tier: 'low', verdict: null });
    });
  });

  answers(200, () => {
    it('with what shows that a repository collects skills, and the number of its parts', async () => {
      const { client, id } = await given('a repository that collects skills');

      const { data } = await client.GET('/api/agents/{id}', by(id));

      expect(data?.container).toEqual({ parts: expect.any(Number), because: 'name' });
    });

    it('with null for a repository that is one thing', async () => {
      const { client, id } = await given('an agent of an unverified creator');

      const { data } = await client.GET('/api/agents/{id}', by(id));

      expect(data?.container ?? null).toBeNull();
    });
  });

  answers(304, () => {
    it('where nothing changed since the answer that the client holds', async () => {
      const { client, id, etag } = await given('an agent that the client holds');

      const { response } = await client.GET('/api/agents/{id}', {
        ...by(id),
        headers: { 'If-None-Match': etag },
      });

      expect(response.headers.get('etag')).toBe(etag);
    });
  });

  answers(400, () => {
    it.each(['AGT-7K2MQ9X', 'agt-7K2MQ9XD', '7K2MQ9XD', 'AGT-7K2MQ9X!'])('to the id %s', async (id) => {
      const { client } = await given('a directory of agents');

      const { error } = await client.GET('/api/agents/{id}', by(id));

      expect(error).toMatchObject({ error: 'invalid_request', status: 400 });
    });
  });

  answers(404, () => {
    it('that names the id', async () => {
      const { client, id } = await given('an id that nobody has');

      const { error } = await client.GET('/api/agents/{id}', by(id));

      expect(error).toMatchObject({ error: 'not_found', status: 404 });
      if (target === 'server') expect(error?.message).toContain(id);
    });
  });

  answers(410, () => {
    it('that says why, to an agent that was delisted', async () => {
      const { client, id } = await given('an agent that was delisted');

      const { error } = await client.GET('/api/agents/{id}', by(id));

      expect(error).toMatchObject({
        error: 'gone',
        message: expect.stringContaining('operator'),
        status: 410,
      });
    });
  });

  readAnswers(operation, (client) => client.GET('/api/agents/{id}', by(ANY_ID)));
});
