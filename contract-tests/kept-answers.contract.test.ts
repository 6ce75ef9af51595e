import { afterAll, beforeAll, expect, it } from 'vitest';
import { writeListings } from '../server/testing/outdated-copies.ts';
import { makeListing } from '../server/testing/subjects/registry.factory.ts';
import { openServerWorld, type ServerWorld } from './targets/server/server-world.ts';

let world: ServerWorld;

beforeAll(async () => {
  world = await openServerWorld();
});
afterAll(() => world?.stop());

it('the server under test keeps public answers, as it does by default, and forgets what a state changes', async () => {
  const { id, agentId } = await makeListing(world.database, { stars: 1 });
  const url = `${await world.urlOf('working')}/api/agents/${agentId}`;
  const stars = async () => (await (await fetch(url)).json()).repoHost.stars;
  /** Changes the stars without the triggers that announce changes to servers. */
  const giveHidden = (given: number) =>
    world.database.query(`ALTER TABLE listing DISABLE TRIGGER USER; UPDATE listing SET stars = ${given};
      ALTER TABLE listing ENABLE TRIGGER USER`);
  let given = 1;

  // Invalidations of earlier changes may still arrive and empty the cache, so try until a response stays cached.
  const isKept = async () => {
    const shown = await stars();
    given += 1;
    await giveHidden(given);
    return (await stars()) === shown;
  };
  await expect.poll(isKept).toBe(true);

  await writeListings(world.database, 'UPDATE listing SET stars = 0 WHERE subject_id = $1', [id]);
  expect(await stars()).toBe(0);
});
