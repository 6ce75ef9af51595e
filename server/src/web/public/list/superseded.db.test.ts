import { afterAll, beforeAll, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../../../testing/database.ts';
import { openReadingProcess, type ReadingProcess } from '../../../../testing/http/reading-process.ts';
import {
  type MadeListing,
  makeListing,
  makeRelation,
} from '../../../../testing/subjects/registry.factory.ts';

let test: TestDatabase;
let server: ReadingProcess;
let newest: MadeListing;
let original: MadeListing;

beforeAll(async () => {
  test = await createTestDatabase();
  const { database } = test;
  const old = await makeListing(database, { repository: 'acme/old' });
  newest = await makeListing(database, { repository: 'acme/newest', formerRepositories: ['acme/oldest'] });
  original = await makeListing(database, { repository: 'maker/tool', type: 'agent' });
  const copy = await makeListing(database, { repository: 'taker/tool' });
  await makeRelation(database, 'probable_rename_to', [old, newest], { stated: false });
  await makeRelation(database, 'copied_from', [copy, original]);
  server = await openReadingProcess(test.url);
});
afterAll(async () => {
  await server?.close();
  await test?.close();
});

it('the API marks old names and copies, and no other entry', async () => {
  const { data } = JSON.parse((await server.app.inject('/api/agents?sort=name')).body);
  const told = Object.fromEntries(
    data.map((agent: { repositoryUrl: string; supersededBy: unknown }) => [
      agent.repositoryUrl.replace('https://github.com/', ''),
      agent.supersededBy,
    ]),
  );

  expect(told).toEqual({
    'acme/newest': null,
    'acme/old': { id: newest.agentId, name: 'newest', as: 'new_name', stated: false },
    'maker/tool': null,
    'taker/tool': { id: original.agentId, name: 'tool', as: 'original', stated: true },
  });
  const { id } = data.find(({ name }: { name: string }) => name === 'old');
  expect(JSON.parse((await server.app.inject(`/api/agents/${id}`)).body).supersededBy.id).toBe(
    newest.agentId,
  );
});

it.each(['acme/old', 'https://github.com/acme/old', 'acme/oldest'])(
  'leads from %s in the search field to the page under the newest name',
  async (text) => {
    const { statusCode, headers } = await server.app.inject(`/agents?q=${encodeURIComponent(text)}`);

    expect({ statusCode, to: headers.location }).toEqual({ statusCode: 303, to: '/s/acme/newest' });
  },
);
