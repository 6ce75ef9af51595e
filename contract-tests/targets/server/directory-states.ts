import { randomUUID } from 'node:crypto';
import { makeAccount } from '../../../server/testing/factories.ts';
import {
  type ListingInput,
  type MadeListing,
  makeCreator,
  makeListing,
} from '../../../server/testing/subjects/registry.factory.ts';
import { giveScore } from './server-world.ts';
import type { MakersOf, StateTools } from './state-tools.ts';

type DirectoryState =
  | 'a visitor with a key'
  | 'a directory of agents'
  | 'a search with a common word'
  | 'a search without a match'
  | 'a page that the client holds'
  | 'a cursor of another list'
  | 'an agent of an unverified creator'
  | 'an agent without repository metrics'
  | 'an agent with packages'
  | 'an agent without a score'
  | 'a repository that collects skills'
  | 'an agent that the client holds'
  | 'an id that nobody has'
  | 'an agent with a descendant'
  | 'an agent with an ancestor'
  | 'an agent without relatives'
  | 'a lineage that the client holds'
  | 'a creator without a score'
  | 'a creator that the client holds'
  | 'a handle that nobody has';

/** Creates the states of public reads. */
export function directoryStates({ world, clientOn, unseenClientOn }: StateTools): MakersOf<DirectoryState> {
  const { database } = world;
  const metrics = {
    stars: 120,
    forks: 6,
    openIssues: 2,
    lastCommitAt: '2026-08-01T10:20:30Z',
    license: 'MIT',
  };

  async function list(input: ListingInput = {}): Promise<MadeListing> {
    const listing = await makeListing(database, { type: 'agent', category: 'coding', ...metrics, ...input });
    await giveScore(world, listing.id);
    return listing;
  }
  const called = async (listing: MadeListing) => ({ client: await clientOn('working'), id: listing.agentId });
  const unknown = async () => ({ client: await clientOn('working') });
  const tagOf = ({ response }: { response: Response }) => response.headers.get('etag') ?? '';

  return {
    'a visitor with a key': async () => {
      const parent = await list({ description: 'Reviews merge requests' });
      await list({ parentId: parent.id });
      const { key } = await makeAccount(database);
      const { agentId: id, repository: subject } = parent;
      return {
        baseUrl: await world.urlOf('working'),
        apiKey: key.secret,
        words: 'reviews merge',
        id,
        subject,
      };
    },
    'a directory of agents': async () => {
      for (let made = 0; made < 3; made++) await list({ description: 'Reviews merge requests' });
      return { client: await clientOn('working') };
    },
    'a search with a common word': async () => {
      await list({ description: 'Reviews merge requests' });
      return { client: await clientOn('working'), q: 'the requests' };
    },
    'a search without a match': async () => {
      await list();
      return { client: await clientOn('working'), q: 'flux capacitor' };
    },
    'a page that the client holds': async () => {
      await list();
      const page = await (await unseenClientOn('working')).GET('/api/agents');
      return { client: await clientOn('working'), etag: tagOf(page) };
    },
    'a cursor of another list': async () => ({ ...(await unknown()), cursor: 'W10' }),
    'an agent of an unverified creator': async () => called(await list()),
    'an agent without repository metrics': async () =>
      called(await list({ stars: null, forks: null, openIssues: null, lastCommitAt: null })),
    'an agent with packages': async () => {
      const agent = await list({ npmPackage: 'example-changelog', pypiPackage: 'example-unpublished' });
      const image = { registry: 'oci', name: 'ghcr.io/example-labs/changelog:1.2.0', isConfirmed: true };
      await database.query(
        `UPDATE listing SET npm_confirmed = true, pypi_missing = true, other_packages = $2 WHERE subject_id = $1`,
        [agent.id, JSON.stringify([image])],
      );
      return called(agent);
    },
    'an agent without a score': async () => called(await makeListing(database, { type: 'agent' })),
    'a repository that collects skills': async () =>
      called(await list({ type: 'skill', repository: `labs-${randomUUID()}/agent-skills` })),
    'an agent that the client holds': async () => {
      const { client, id } = await called(await list());
      const params = { path: { id } };
      const agent = await (await unseenClientOn('working')).GET('/api/agents/{id}', { params });
      return { client, id, etag: tagOf(agent) };
    },
    'an id that nobody has': async () => ({ ...(await unknown()), id: 'AGT-ZZZZZZZZ' }),
    'an agent with a descendant': async () => {
      const parent = await list();
      await list({ parentId: parent.id });
      return called(parent);
    },
    'an agent with an ancestor': async () => called(await list({ parentId: (await list()).id })),
    'an agent without relatives': async () => called(await list()),
    'a lineage that the client holds': async () => {
      const { client, id } = await called(await list());
      const params = { path: { id } };
      const lineage = await (await unseenClientOn('working')).GET('/api/agents/{id}/lineage', { params });
      return { client, id, etag: tagOf(lineage) };
    },
    'a creator without a score': async () => ({
      ...(await unknown()),
      handle: (await makeCreator(database)).handle,
    }),
    'a creator that the client holds': async () => {
      const { handle } = await makeCreator(database);
      const params = { path: { handle } };
      const profile = await (await unseenClientOn('working')).GET('/api/identity/{handle}', { params });
      return { client: await clientOn('working'), handle, etag: tagOf(profile) };
    },
    'a handle that nobody has': async () => ({ ...(await unknown()), handle: 'nobody-here' }),
  };
}
