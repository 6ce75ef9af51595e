import { expect, it } from 'vitest';
import { listing } from '../../../testing/import/rows.ts';
import { openProofWorld } from '../../../testing/proofs/proof-world.ts';
import { createRefreshWorkspace } from '../../../testing/refresh/refresh-workspace.ts';
import { readCurrentScore } from '../../../testing/scoring/read-current-score.ts';
import { makeListing } from '../../../testing/subjects/registry.factory.ts';
import { createPublicUrls } from '../../catalog/subjects/public-path.ts';
import { registerAgent } from '../../directory/own-agents/register-agent.ts';
import type { Connection } from '../../platform/database/connect.ts';
import { scoreSubjects } from '../batches/score-subjects.ts';
import { ATTACKS } from '../embedded/attacks.ts';
import { embeddedBackend } from '../embedded/embedded-backend.ts';

// The table `ATTACKS` starts from facts before and after an attack. These tests instead send an attack to the registry,
// and check the facts and scores that the registry derives from it.

const publicUrls = createPublicUrls('https://trust.example');

function gainAtMost(name: string): number {
  const attack = ATTACKS.find((each) => each.name === name);
  if (attack === undefined) throw new Error(`no attack is called ${name}`);
  return attack.gainAtMost;
}

async function scoreNow(connection: Connection, id: string) {
  await scoreSubjects(connection, embeddedBackend, [id]);
  const score = await readCurrentScore(connection, id);
  if (score === null) throw new Error(`${id} has no score`);
  return score;
}

it("registering strangers' repositories gives their trust to nobody", async () => {
  const world = await openProofWorld();
  try {
    const { database } = world;
    const attacker = await world.account('attacker');
    const register = (repository: string) =>
      registerAgent(database, {
        repoHostUrl: `https://github.com/${repository}`,
        name: repository,
        description: 'Draws maps.',
        category: 'coding',
        tags: ['maps'],
        type: null,
        parentId: null,
        accountId: attacker,
        allowedHosts: publicUrls.hosts,
        hosts: world.hosts,
        backend: embeddedBackend,
        publicUrls,
        lockCredential: async () => undefined,
      });
    await world.prove(attacker, world.standIn.world.account({ handle: 'attacker' }));
    const { id: own } = await register('attacker/tool');
    const [{ creator } = { creator: '' }] = await database.query<{ creator: string }>(
      'SELECT creator_id AS creator FROM listing WHERE agent_id = $1',
      [own],
    );
    const before = await scoreNow(database, creator);

    const famous = { stars: 90_000, forks: 9_000, lastCommitAt: '2026-08-20T00:00:00Z', license: 'MIT' };
    for (const repository of ['famous/engine', 'famous/agent', 'known/server']) {
      const { id } = await makeListing(database, { repository, ...famous });
      await scoreSubjects(database, embeddedBackend, [id]);
      await register(repository).catch(() => undefined);
      await register(`${repository}-unlisted`);
    }
    const after = await scoreNow(database, creator);

    const [{ registered } = { registered: 0 }] = await database.query<{ registered: number }>(
      'SELECT count(*)::int AS registered FROM listing WHERE creator_id = $1',
      [creator],
    );
    expect(registered).toBeGreaterThanOrEqual(4);
    expect(after.trust - before.trust).toBeLessThanOrEqual(
      gainAtMost("Registered strangers' repositories") + 0.001,
    );
    expect(after.confidence).toBeLessThanOrEqual(before.confidence + 0.001);
  } finally {
    await world.close();
  }
});

it('a new repository under the freed name of a famous one has the score of a new repository', async () => {
  const work = await createRefreshWorkspace();
  try {
    const { world: host } = work.standIn;
    const sources = Array.from({ length: 8 }, (_, n) => `list/${n}`);
    const row = (name: string) => listing(name, { sources });
    const famous = { stars: 90_000, forks: 9_000, createdAt: '2019-01-01T00:00:00Z', license: 'MIT' };
    host.account({ handle: 'maker' });
    host.account({ handle: 'nobody' });
    host.repository({ ...famous, id: '1', name: 'maker/tool' });
    await work.store(row('maker/tool'));
    await work.refresh();
    const { id: first } = await work.state('maker/tool');
    const before = await scoreNow(work.database, first);

    // The owner deletes the repository, and another person creates a repository of the same name.
    const fresh = { stars: 0, forks: 0, openIssues: 0, createdAt: new Date().toISOString(), license: 'MIT' };
    host.repositories.length = 0;
    host.repository({ ...fresh, id: '2', name: 'maker/tool' });
    host.repository({ ...fresh, id: '3', name: 'nobody/tool' });
    host.repository({ ...fresh, id: '4', name: 'nobody/plain' });
    await work.makeDue();
    await work.refresh();
    const plainRow = listing('nobody/plain', { sources: sources.slice(0, 1) });
    await work.store(row('maker/tool'), row('nobody/tool'), plainRow);
    await work.makeDue();
    await work.refresh();
    const { id: second } = await work.state('maker/tool');
    const after = await scoreNow(work.database, second);
    const other = await scoreNow(work.database, (await work.state('nobody/tool')).id);
    const plain = await scoreNow(work.database, (await work.state('nobody/plain')).id);

    expect(second).not.toBe(first);
    expect(after.trust).toBeLessThanOrEqual(before.trust);
    expect(after.trust - plain.trust).toBeLessThanOrEqual(gainAtMost('Resurrected name'));
    expect([after.trust, after.confidence]).toEqual([other.trust, other.confidence]);
    expect((await work.state('maker/tool~1')).id).toBe(first);
  } finally {
    await work.close();
  }
});
