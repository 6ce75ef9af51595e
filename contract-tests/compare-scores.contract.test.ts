import { expect, it } from 'vitest';
import { describeOperation } from './describe-operation.ts';
import { readAnswers } from './read-answers.ts';

const PATH = '/api/subjects/{canonical_id}/difference';
const ANY_ID = 'b6f0a1de-52c7-4e0a-9c2b-7d41f0e35a88';
const by = (id: string, query = {}) => ({ params: { path: { canonical_id: id }, query } });
const sum = (numbers: readonly number[]) => numbers.reduce((all, each) => all + each, 0);

describeOperation('compareScores', (operation) => {
  const { given, answers } = operation;

  answers(200, () => {
    it('with changes that add up, by signal and by cause', async () => {
      const { client, id, from, to } = await given('a score that changed');

      const { data } = await client.GET(PATH, by(id, { from, to }));

      const all = [...(data?.signals ?? []).map(({ points }) => points), data?.prior, data?.caps].flatMap(
        (change) => change ?? [],
      );
      expect(data).toMatchObject({ from: { score_version: from }, to: { score_version: to }, note: null });
      expect(Math.abs(sum(all.map(({ change }) => change)) - (data?.trust.change ?? 0))).toBeLessThanOrEqual(
        0.1,
      );
      for (const cause of ['facts', 'method', 'time'] as const) {
        const parts = sum(all.map(({ causes }) => causes?.[cause] ?? Number.NaN));
        expect(Math.abs(parts - (data?.trust.causes?.[cause] ?? Number.NaN))).toBeLessThanOrEqual(0.1);
      }
      expect(data?.trust.causes?.method).not.toBe(0);
      expect(data?.signals.find(({ signal }) => signal === 'license')).toMatchObject({
        before: { status: 'missing' },
        after: { status: 'observed' },
      });
    });

    it('that is none where the score has not changed', async () => {
      const { client, id } = await given('a score that has not changed');

      const { data } = await client.GET(PATH, by(id));

      expect(data).toMatchObject({ trust: { change: 0 }, summary: expect.stringMatching(/^Trust is /) });
    });

    it('without causes where a score cannot be computed again', async () => {
      const { client, id } = await given('scores that cannot be computed again');

      const { data } = await client.GET(PATH, by(id));

      expect(data).toMatchObject({
        trust: { causes: null },
        prior: null,
        note: expect.stringContaining('cannot be told apart'),
      });
    });
  });

  answers(304, () => {
    it('where nothing changed since the answer that the client holds', async () => {
      const { client, id, etag } = await given('a difference that the client holds');

      const { response } = await client.GET(PATH, { ...by(id), headers: { 'If-None-Match': etag } });

      expect(response.headers.get('etag')).toBe(etag);
    });
  });

  answers(400, () => {
    it.each([
      ['AGT-7K2MQ9XD', {}],
      [ANY_ID, { from: 'last month' }],
      [ANY_ID, { to: '2026-11-20' }],
      [ANY_ID, { since: '2026-11-20T09:14:03Z' }],
    ])('to %s with %j', async (id, query) => {
      const { client } = await given('a score that changed');

      const { error } = await client.GET(PATH, by(id, query));

      expect(error).toMatchObject({ error: 'invalid_request', status: 400 });
    });

    it('to times in the wrong order', async () => {
      const { client, id, from, to } = await given('times of scores in the wrong order');

      const { error } = await client.GET(PATH, by(id, { from, to }));

      expect(error).toMatchObject({ error: 'invalid_request', message: 'from must not be after to.' });
    });
  });

  answers(404, () => {
    it('to an id that nobody has', async () => {
      const { client, id } = await given('a canonical id that nobody has');

      const { error } = await client.GET(PATH, by(id));

      expect(error).toMatchObject({ error: 'not_found', status: 404 });
    });

    it('to a time before the first score', async () => {
      const { client, id, from } = await given('a time before the first score');

      const { error } = await client.GET(PATH, by(id, { from }));

      expect(error).toMatchObject({
        error: 'not_found',
        message: expect.stringContaining('had no score at'),
      });
    });
  });

  answers(410, () => {
    it('that says why, to a subject that was delisted', async () => {
      const { client, id } = await given('a subject that was delisted');

      const { error } = await client.GET(PATH, by(id));

      expect(error).toMatchObject({ error: 'gone', status: 410 });
    });
  });

  readAnswers(operation, (client) => client.GET(PATH, by(ANY_ID)));
});
