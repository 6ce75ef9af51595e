import { expect, it } from 'vitest';
import { describeOperation } from './describe-operation.ts';
import { readAnswers } from './read-answers.ts';
import type { States } from './targets/states.ts';

const PATH = '/api/subjects/{canonical_id}';
const ANY_ID = 'b6f0a1de-52c7-4e0a-9c2b-7d41f0e35a88';
const by = (id: string) => ({ params: { path: { canonical_id: id } } });

describeOperation('getSubject', (operation) => {
  const { given, answers } = operation;

  answers(200, () => {
    it.each(['a listed subject', 'a subject inside a repository', 'a social account'] as const)(
      'with the record and the stored score of %s',
      async (state: keyof States) => {
        const { client, id, type } = (await given(state)) as States['a listed subject'];

        const { data } = await client.GET(PATH, by(id.toUpperCase()));

        expect(data).toMatchObject({
          canonical_id: id,
          type,
          trustScore: expect.any(Number),
          score_version: expect.any(String),
        });
      },
    );

    it('with what is said of the file of a subject inside a repository, and of no other', async () => {
      const inside = await given('a subject inside a repository');
      const listed = await given('a listed subject');

      const [{ data }, { data: other }] = [
        await inside.client.GET(PATH, by(inside.id)),
        await listed.client.GET(PATH, by(listed.id)),
      ];

      expect(data?.relations).toEqual(expect.any(Array));
      expect(other).not.toHaveProperty('relations');
    });

    it('with null where there is no confirmed score', async () => {
      const { client, id } = await given('a subject without a score');

      const { data } = await client.GET(PATH, by(id));

      expect(data).toMatchObject({ canonical_id: id, trustScore: null, confidence: null, tier: 'low' });
    });
  });

  answers(304, () => {
    it('where nothing changed since the answer that the client holds', async () => {
      const { client, id, etag } = await given('a subject that the client holds');

      const { response } = await client.GET(PATH, { ...by(id), headers: { 'If-None-Match': etag } });

      expect(response.headers.get('etag')).toBe(etag);
    });
  });

  answers(400, () => {
    it.each(['AGT-7K2MQ9XD', ANY_ID.slice(1), `${ANY_ID}0`, 'gemini-cli'])('to the id %s', async (id) => {
      const { client } = await given('a listed subject');

      const { error } = await client.GET(PATH, by(id));

      expect(error).toMatchObject({ error: 'invalid_request', status: 400 });
    });
  });

  answers(404, () => {
    it('to an id that nobody has', async () => {
      const { client, id } = await given('a canonical id that nobody has');

      const { error } = await client.GET(PATH, by(id));

      expect(error).toMatchObject({ error: 'not_found', status: 404 });
    });
  });

  answers(410, () => {
    it('that says why, to a subject that was delisted', async () => {
      const { client, id } = await given('a subject that was delisted');

      const { error } = await client.GET(PATH, by(id));

      expect(error).toMatchObject({
        error: 'gone',
        message: expect.stringContaining('operator'),
        status: 410,
      });
    });
  });

  readAnswers(operation, (client) => client.GET(PATH, by(ANY_ID)));
});
