import { afterAll, beforeAll, expect, it } from 'vitest';
import { makeListing, type TestListing } from '../../../testing/factories.ts';
import { openReadingProcess, type ReadingProcess } from '../../../testing/http/reading-process.ts';
import {
  type ReplicatedServer,
  startReplicatedServer,
  type TestReplica,
} from '../../../testing/replicated-server.ts';
import { connect, type Database } from '../database/connect.ts';

let server: ReplicatedServer;
let leader: TestReplica;
let stray: TestReplica;
let before: Database;
let listing: TestListing;
let reading: ReadingProcess | undefined;

beforeAll(async () => {
  server = await startReplicatedServer(2);
  [leader, stray] = server.replicas as [TestReplica, TestReplica];
  before = connect(server.url, { poolSize: 1 });
  listing = await makeListing(before);
  for (const each of [leader, stray]) await each.caughtUp();
}, 120_000);
afterAll(async () => {
  await reading?.close();
  await before?.close();
  await server?.stop();
});

it('a replica on another timeline is not read from, however far it has replayed', async () => {
  const set = (stars: number) =>
    `UPDATE listing SET stars = ${stars} WHERE subject_id = '${listing.subjectId}'`;
  await leader.promote();
  // The former primary keeps writing, and the replica that follows it gets ahead of the new one.
  for (let more = 0; more < 200; more += 1) await before.query(set(more));
  await stray.caughtUp();
  await leader.ask(set(7_000));

  reading = await openReadingProcess(leader.url, { replicas: [stray.url], isCaching: false });
  const { replicas } = reading.services;
  await expect.poll(() => replicas?.replicas[0]?.status(), { timeout: 60_000 }).toBe('ready');
  const shown = [];
  for (let round = 0; round < 3; round += 1) {
    const answer = await reading.app.inject(`/api/agents/${listing.agentId}`);
    shown.push(answer.json().repoHost.stars);
  }

  expect(shown).toEqual([7_000, 7_000, 7_000]);
  expect([...(replicas?.counts.keys() ?? [])]).toEqual(['primary behind']);
  const position = (await replicas?.primaryPosition()) ?? Number.POSITIVE_INFINITY;
  expect(replicas?.replicas[0]?.position()).toBeGreaterThan(position);
});
