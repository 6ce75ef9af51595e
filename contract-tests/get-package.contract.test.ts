import { expect, it } from 'vitest';
import { describeOperation } from './describe-operation.ts';
import { readAnswers } from './read-answers.ts';

const PATH = '/api/packages';
const by = (named: string) => ({ params: { query: { package: named } } });

describeOperation('getPackage', (operation) => {
  const { given, answers } = operation;

  answers(200, () => {
    it('with the advisories that affect the version', async () => {
      const { client, named } = await given('a version with an advisory');

      const { data } = await client.GET(PATH, by(named));

      expect(data).toMatchObject({ standing: 'affected', version: named.split('@')[1] });
      expect(`${data?.package}@${data?.version}`).toBe(named);
      expect(data?.advisories).toHaveLength(1);
      expect(data?.advisories[0]).toMatchObject({
        aliases: [expect.stringMatching(/^GHSA-/)],
        withdrawn: false,
        disputed: false,
        affected: [expect.any(String)],
      });
    });

    it('with the listing of a package that has no advisory', async () => {
      const { client, named, id } = await given('a listed package without an advisory');

      const { data } = await client.GET(PATH, by(named));

      expect(data).toMatchObject({
        package: named,
        version: null,
        standing: 'not_affected',
        advisories: [],
        listing: { canonical_id: id },
        as_of: expect.any(String),
      });
    });

    it('with what its registry showed when it was last read', async () => {
      const { client, named } = await given('a package that its registry does not have');

      const { data } = await client.GET(PATH, by(named));

      expect(data?.package).toBe(named);
      expect(data?.registry_reading).toMatchObject({
        outcome: 'missing',
        version: null,
        read_at: expect.any(String),
      });
    });

    it('that is unknown where no advisories of the registry were read', async () => {
      const { client, named } = await given('a package of a registry whose advisories were not read');

      const { data } = await client.GET(PATH, by(named));

      expect(data).toMatchObject({ standing: 'unknown', advisories: [], listing: null, as_of: null });
    });
  });

  answers(304, () => {
    it('where nothing changed since the answer that the client holds', async () => {
      const { client, named, etag } = await given('a package that the client holds');

      const { response } = await client.GET(PATH, { ...by(named), headers: { 'If-None-Match': etag } });

      expect(response.headers.get('etag')).toBe(etag);
    });
  });

  answers(400, () => {
    it.each(['', 'mcp-remote', 'gem:rails', 'npm:', 'npm:a b', 'pkg:gem/rails', `npm:${'x'.repeat(600)}`])(
      'to the package %j',
      async (named) => {
        const { client } = await given('a version with an advisory');

        const { error } = await client.GET(PATH, by(named));

        expect(error).toMatchObject({ error: 'invalid_request', status: 400 });
      },
    );

    it('to a tag in place of a version, with what is allowed', async () => {
      const { client, named } = await given('a tag in place of a version');

      const { error } = await client.GET(PATH, by(named));

      expect(error).toMatchObject({
        error: 'invalid_request',
        message: expect.stringContaining('one version such as 1.2.3'),
        status: 400,
      });
    });
  });

  readAnswers(operation, (client) => client.GET(PATH, by('npm:mcp-remote')));
});
