import { expect, it } from 'vitest';
import { describeOperation } from './describe-operation.ts';
import { readAnswers } from './read-answers.ts';
import type { States } from './targets/states.ts';

type Type = 'agent' | 'skill' | 'creator' | 'social_account' | 'messaging_account';
const PATH = '/api/subjects';
const by = (subject: string, type?: Type) => ({ params: { query: { subject, ...(type && { type }) } } });

describeOperation('lookupSubject', (operation) => {
  const { target, given, answers } = operation;

  answers(200, () => {
    it.each([
      [
        'a listed subject',
        { agent_id: expect.stringMatching(/^AGT-/), repository: expect.stringContaining('/') },
      ],
      ['a subject inside a repository', { agent_id: null, repository: expect.stringContaining('/') }],
      [
        'a social account',
        { agent_id: null, repository: null, public_path: expect.stringMatching(/^\/u\/x\//) },
      ],
    ] as const)(
      'with the record and the stored score of %s',
      async (state: keyof States, expected: object) => {
        const { client, id, label, type } = (await given(state)) as States['a listed subject'];

        const { data } = await client.GET(PATH, by(label));

        expect(data).toMatchObject({
          canonical_id: id,
          type,
          trustScore: expect.any(Number),
          confidence: expect.any(Number),
          score_version: expect.any(String),
          ...expected,
        });
      },
    );

    it('of the asked type', async () => {
      const { client, id, label, type } = await given('a listed subject');

      const { data } = await client.GET(PATH, by(label, type as Type));

      expect(data).toMatchObject({ canonical_id: id, type });
    });

    it('with the standing of the version beside that of its package', async () => {
      const { client, id, label } = await given('a version of a listed package');

      const { data } = await client.GET(PATH, by(label));

      expect(data).toMatchObject({
        canonical_id: id,
        package: {
          version: '0.6.1',
          confirmed: true,
          standing: 'affected',
          version_standing: 'affected',
          advisories: [{ affected: ['0.5.1', '0.6.1'], disputed: false }],
        },
      });
      expect(`${data?.package?.package}@${data?.package?.version}`).toBe(label);
    });

    it('with null where there is no confirmed score', async () => {
      const { client, id, label } = await given('a subject without a score');

      const { data } = await client.GET(PATH, by(label));

      expect(data).toMatchObject({
        canonical_id: id,
        trustScore: null,
        confidence: null,
        tier: 'low',
        score_version: null,
      });
    });
  });

  answers(304, () => {
    it('where nothing changed since the answer that the client holds', async () => {
      const { client, label, etag } = await given('a subject that the client holds');

      const { response } = await client.GET(PATH, { ...by(label), headers: { 'If-None-Match': etag } });

      expect(response.headers.get('etag')).toBe(etag);
    });
  });

  answers(400, () => {
    it.each(['', '   ', 'a\u0000b', 'line\nbreak', 'x'.repeat(513)])('to the subject %j', async (subject) => {
      const { client } = await given('a listed subject');

      const { error } = await client.GET(PATH, by(subject));

      expect(error).toMatchObject({ error: 'invalid_request', status: 400 });
    });

    it('where the subject is missing, and to a type that there is not', async () => {
      const { client, label } = await given('a listed subject');

      for (const query of [{}, { subject: label, type: 'repository' }]) {
        const { error } = await client.GET(PATH, { params: { query: query as { subject: string } } });
        expect(error).toMatchObject({ error: 'invalid_request', status: 400 });
      }
    });
  });

  answers(404, () => {
    it('to a name that nobody has', async () => {
      const { client, label } = await given('a label that nobody has');

      const { error } = await client.GET(PATH, by(label));

      expect(error).toMatchObject({ error: 'not_found', status: 404 });
    });

    it('where only a subject of another type has it', async () => {
      const { client, label } = await given(
        target === 'server' ? 'a listed subject' : 'a label that nobody has',
      );

      const { error } = await client.GET(PATH, by(label, 'creator'));

      expect(error).toMatchObject({ error: 'not_found', status: 404 });
    });
  });

  answers(409, () => {
    it('with the subjects that the name could mean', async () => {
      const { client, label } = await given('a label of several subjects');

      const { error } = await client.GET(PATH, by(label));

      expect(error).toMatchObject({ error: 'subject_ambiguous', status: 409 });
      const { candidates = [] } = error as { candidates?: unknown[] };
      expect(candidates).toHaveLength(2);
      expect(candidates[0]).toMatchObject({
        canonical_id: expect.any(String),
        public_path: expect.any(String),
      });
    });
  });

  answers(410, () => {
    it('that says why, to a name of what was delisted', async () => {
      const { client, label } = await given('a subject that was delisted');

      const { error } = await client.GET(PATH, by(label));

      expect(error).toMatchObject({
        error: 'gone',
        message: expect.stringContaining('operator'),
        status: 410,
      });
    });
  });

  readAnswers(operation, (client) => client.GET(PATH, by('example-labs')));
});
