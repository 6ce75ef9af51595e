import { expect, it } from 'vitest';
import { describeOperation } from './describe-operation.ts';
import { readAnswers } from './read-answers.ts';

const PATH = '/api/subjects/{canonical_id}/explain';
const ANY_ID = 'b6f0a1de-52c7-4e0a-9c2b-7d41f0e35a88';
const by = (id: string, query = {}) => ({ params: { path: { canonical_id: id }, query } });
const sum = (numbers: readonly (number | null)[]) =>
  numbers.reduce<number>((all, each) => all + (each ?? 0), 0);

describeOperation('explainScore', (operation) => {
  const { target, given, answers } = operation;

  answers(200, () => {
    it.each(['a score with its parts', 'a score that a cap lowers'] as const)(
      'with parts that add up: %s',
      async (state) => {
        const { client, id } = await given(state);

        const { data } = await client.GET(PATH, by(id.toUpperCase()));

        const { trust, confidence, contributions = [], caps = [] } = data ?? {};
        const points = sum(contributions.map((each) => each.points)) + (trust?.prior ?? Number.NaN);
        expect(data).toMatchObject({
          subject: { canonical_id: expect.any(String) },
          extent: 'full',
          note: null,
        });
        expect(Math.abs(points - (trust?.before_caps ?? 0))).toBeLessThanOrEqual(0.1);
        expect(caps.at(-1)?.final ?? trust?.before_caps).toBe(trust?.score);
        expect(caps).toHaveLength(state === 'a score that a cap lowers' ? 1 : 0);
        const parts = sum(contributions.map((each) => each.confidence_points));
        expect(Math.abs(parts - (confidence?.score ?? 0))).toBeLessThanOrEqual(0.1);
      },
    );

    it('with what would raise the score, and the most wanted fact', async () => {
      const { client, id } = await given('a score with its parts');

      const { data } = await client.GET(PATH, by(id));

      expect(data?.improvements[0]).toMatchObject({ action: 'claim', points: expect.any(Number) });
      expect(data?.most_wanted_fact?.confidence_points).toBeGreaterThan(0);
    });

    it('about the score at another time', async () => {
      const { client, id, from } = await given('an earlier score');

      const { data } = await client.GET(PATH, by(id, { score_version: from }));

      // The mock returns the same score for every score_version.
      if (target === 'server')
        expect(data).toMatchObject({ score_version: from, current: false, method_version: 'rs-1.0.0' });
    });

    it('as far as a scoring backend explained its score', async () => {
      const { client, id } = await given('a score of a backend that names few parts');

      const { data } = await client.GET(PATH, by(id));

      expect(data).toMatchObject({
        extent: 'partial',
        source: 'scores.example',
        note: expect.stringContaining('not explained'),
        trust: { prior: null },
        improvements: [],
      });
    });

    it('that says of a container that its parts have scores of their own', async () => {
      const { client, id } = await given('a container repository');

      const { data } = await client.GET(PATH, by(id));

      expect(data).toMatchObject({
        container: { because: 'name', parts: expect.any(Number) },
        superseded_by: null,
      });
    });

    it('that names the subject to look at instead of an old name', async () => {
      const { client, id } = await given('an old name of a repository');

      const { data } = await client.GET(PATH, by(id));

      const { subject, superseded_by: successor } = data ?? {};
      expect(data).toMatchObject({ container: null, superseded_by: { as: 'new_name', stated: false } });
      expect(successor?.subject.canonical_id).not.toBe(subject?.canonical_id);
      expect(successor?.subject.repository).toEqual(expect.any(String));
    });

    it('with nulls where there is no confirmed score', async () => {
      const { client, id } = await given('a subject without a score');

      const { data } = await client.GET(PATH, by(id));

      expect(data).toMatchObject({ score_version: null, trust: null, extent: 'none', contributions: [] });
    });
  });

  answers(304, () => {
    it('where nothing changed since the answer that the client holds', async () => {
      const { client, id, etag } = await given('an explanation that the client holds');

      const { response } = await client.GET(PATH, { ...by(id), headers: { 'If-None-Match': etag } });

      expect(response.headers.get('etag')).toBe(etag);
    });
  });

  answers(400, () => {
    it.each([
      ['AGT-7K2MQ9XD', {}],
      [ANY_ID, { score_version: 'yesterday' }],
      [ANY_ID, { score_version: '2026-02-31T00:00:00Z' }],
      [ANY_ID, { score_version: '2026-11-20T09:14:03+01:00' }],
      [ANY_ID, { version: '2026-11-20T09:14:03Z' }],
    ])('to %s with %j', async (id, query) => {
      const { client } = await given('a score with its parts');

      const { error } = await client.GET(PATH, by(id, query));

      expect(error).toMatchObject({ error: 'invalid_request', status: 400 });
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

      const { error } = await client.GET(PATH, by(id, { score_version: from }));

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
