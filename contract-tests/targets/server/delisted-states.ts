import { randomUUID } from 'node:crypto';
import { createPublicUrls } from '../../../server/src/catalog/subjects/public-path.ts';
import { delistListing } from '../../../server/src/directory/delisting/delist-listing.ts';
import { type MadeListing, makeListing } from '../../../server/testing/subjects/registry.factory.ts';
import { bearer } from '../client.ts';
import { callersOf } from './callers.ts';
import { newRegistration } from './registration-states.ts';
import { giveScore } from './server-world.ts';
import type { MakersOf, StateTools } from './state-tools.ts';

type DelistedState =
  | 'an agent that was delisted'
  | 'a subject that was delisted'
  | 'subjects of several forms'
  | 'a repository that was delisted'
  | 'an operation on what was delisted';

/** Creates the states of a listing that the operator removed from the directory. */
export function delistedStates({ world, clientOn }: StateTools): MakersOf<DelistedState> {
  const callers = callersOf(world);
  const delisted = async (): Promise<MadeListing> => {
    const listing = await makeListing(world.database, { type: 'agent' });
    const publicUrls = createPublicUrls('https://trust.example');
    await delistListing(world.database, { text: listing.id, reason: 'It was spam.', publicUrls });
    return listing;
  };
  const withKey = async () => clientOn('working', bearer((await callers.account()).key.secret));

  return {
    'an agent that was delisted': async () => {
      const { agentId: id } = await delisted();
      return { client: await clientOn('working'), id };
    },
    'a subject that was delisted': async () => {
      const { id, repository: label, type } = await delisted();
      return { client: await clientOn('working'), id, label, type };
    },
    'subjects of several forms': async () => {
      const known = await makeListing(world.database, { type: 'agent' });
      await giveScore(world, known.id);
      const name = `same ${randomUUID().slice(0, 8)}`;
      await makeListing(world.database, { name });
      await makeListing(world.database, { name, type: 'agent' });
      const { repository } = await delisted();
      const texts = [name, `${known.repository}-of-nobody`, repository, ''];
      return {
        client: await clientOn('working'),
        subjects: [{ subject: known.repository, type: 'agent' }, ...texts.map((subject) => ({ subject }))],
      };
    },
    'a repository that was delisted': async () => {
      const { repository } = await delisted();
      const body = newRegistration({ repoHostUrl: `git@github.com:${repository}.git` });
      return { client: await withKey(), body };
    },
    'an operation on what was delisted': async () => {
      const { repository: subject } = await delisted();
      return {
        client: await withKey(),
        body: { operation: 'agent_score', subject, idempotency_key: randomUUID() },
      };
    },
  };
}
