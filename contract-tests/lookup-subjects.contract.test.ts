import { expect, it } from 'vitest';
import { describeOperation } from './describe-operation.ts';
import { readAnswers } from './read-answers.ts';

const PATH = '/api/subjects/lookup';
const bodyOf = (subjects: unknown) => ({ body: { subjects: subjects as { subject: string }[] } });

describeOperation('lookupSubjects', (operation) => {
  const { given, answers } = operation;

  answers(200, () => {
    it('with the standing of every package, listed or not, in the order of the request', async () => {
      const { client, subjects } = await given('packages of a lock file');

      const { data } = await client.POST(PATH, { body: { subjects } });

      expect(data?.data.map(({ subject }) => subject)).toEqual(subjects.map(({ subject }) => subject));
      expect(data?.data).toMatchObject([
        {
          status: 'not_found',
          record: null,
          package: { standing: 'affected', listing: null, advisories: [{ withdrawn: false }] },
          message: expect.any(String),
        },
        {
          status: 'found',
          record: { canonical_id: expect.any(String), verified: false },
          package: { standing: 'not_affected', advisories: [], version: null },
        },
      ]);
      const [, listed] = data?.data ?? [];
      expect(listed?.package?.listing?.canonical_id).toBe(listed?.record?.canonical_id);
    });

    it('with a status for each subject, none of which fails another', async () => {
      const { client, subjects } = await given('subjects of several forms');

      const { data } = await client.POST(PATH, { body: { subjects } });

      expect(data?.data.map(({ subject }) => subject)).toEqual(subjects.map(({ subject }) => subject));
      expect(data?.data).toMatchObject([
        {
          status: 'found',
          package: null,
          record: { type: 'agent', verdict: { reasons: expect.any(Array) } },
        },
        { status: 'ambiguous', record: null, candidates: [{ name: expect.any(String) }, {}] },
        { status: 'not_found', record: null, message: expect.any(String) },
        { status: 'removed', record: null, removed: { reason: expect.any(String) } },
        { status: 'invalid', record: null, message: expect.stringContaining('512') },
      ]);
    });

    it('twice to a subject that is sent twice', async () => {
      const { client, subjects } = await given('packages of a lock file');

      const { data } = await client.POST(PATH, { body: { subjects: [...subjects, ...subjects] } });

      const found = data?.data ?? [];
      expect(found).toHaveLength(2 * subjects.length);
      expect(found.slice(subjects.length)).toEqual(found.slice(0, subjects.length));
    });
  });

  answers(400, () => {
    it.each([
      ['no subjects', undefined],
      ['an empty list', []],
      ['a list that is too long', Array.from({ length: 101 }, () => ({ subject: 'npm:mcp-remote' }))],
      ['a type that there is not', [{ subject: 'npm:mcp-remote', type: 'repository' }]],
      ['a subject that is no text', [{ subject: 1 }]],
      ['an unknown field', [{ subject: 'npm:mcp-remote', version: '0.1.15' }]],
    ])('to %s', async (_name, subjects) => {
      const { client } = await given('packages of a lock file');

      const { error } = await client.POST(PATH, bodyOf(subjects));

      expect(error).toMatchObject({ error: 'invalid_request', status: 400 });
    });
  });

  answers(413, () => {
    it('to a body above 128 KiB', async () => {
      const { client } = await given('packages of a lock file');

      const { error } = await client.POST(PATH, bodyOf([{ subject: 'x'.repeat(128 * 1024) }]));

      expect(error).toMatchObject({
        error: 'payload_too_large',
        message: expect.stringContaining('128 KiB'),
        status: 413,
      });
    });
  });

  answers(415, () => {
    it('to a body that is not sent as JSON', async () => {
      const { client, subjects } = await given('packages of a lock file');

      const { error } = await client.POST(PATH, {
        ...bodyOf(subjects),
        headers: { 'Content-Type': 'text/plain' },
      });

      expect(error).toMatchObject({ error: 'unsupported_media_type', status: 415 });
    });
  });

  readAnswers(operation, (client) => client.POST(PATH, bodyOf([{ subject: 'npm:mcp-remote' }])));
});
