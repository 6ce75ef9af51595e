import { giveCredits, makeAccount } from '../../server/testing/factories.ts';
import { makePlatformAccount } from '../../server/testing/subjects/account.factory.ts';
import { makeArtifact, makeListing } from '../../server/testing/subjects/registry.factory.ts';
import type { ReceivedAnswer } from '../answers/check-answer.ts';
import { bearer } from '../targets/client.ts';
import { json, type RawRequest, sendChecked } from '../targets/server/raw-request.ts';
import { openServerWorld, type ServerWorld } from '../targets/server/server-world.ts';
import type { KnownValues } from './valid-values.ts';

/** A server with listings and credits. Generated requests often use their ids and names, so that many requests succeed. */
export interface KnownWorld {
  readonly world: ServerWorld;
  readonly known: KnownValues;
  /** Sends a request with a credential that may do everything; throws if the answer breaks the contract. */
  send(request: RawRequest): Promise<ReceivedAnswer>;
}

/** CONTRACT_SEED replays a run; CONTRACT_RUNS makes it longer. */
export const SEED = Number(process.env.CONTRACT_SEED ?? Date.now() % 2 ** 31);
export const LENGTH = Number(process.env.CONTRACT_RUNS ?? 1);

/** Starts a server and creates its listings, accounts and credits. */
export async function openKnownWorld(): Promise<KnownWorld> {
  const world = await openServerWorld();
  const url = await world.urlOf('working');
  const { database } = world;
  const agent = await makeListing(database, {
    type: 'agent',
    stars: 120,
    license: 'MIT',
    lastCommitAt: '2026-08-01T00:00:00Z',
  });
  const skill = await makeListing(database, { stars: 12, parentId: agent.id });
  await makeArtifact(database, skill, { name: 'tool' });
  const account = await makePlatformAccount(database, { handle: 'someone' });
  const { accountId, key } = await makeAccount(database, { plan: 'enterprise' });
  await giveCredits(database, accountId, 100_000, 'purchased');
  const { handle } = agent.creator;
  const known = {
    id: [agent.agentId, skill.agentId, 'AGT-ZZZZZZZZ'],
    parentId: [agent.agentId, skill.agentId],
    handle: [handle, `github.com:${handle}`, 'constructor', '__proto__'],
    canonical_id: [agent.id, skill.id, account.id],
    subject: [
      agent.repository,
      skill.repository,
      `${skill.repository}#tool`,
      agent.id,
      `@${handle}`,
      'x:someone',
      'constructor:x',
      '__proto__:a/b',
    ],
    package: ['npm:mcp-remote@0.1.15', 'pypi:mcp==1.9.4', 'pkg:npm/%40a/b'],
    api_key_id: [key.id],
    operation: ['agent_score', 'skill_score'],
    channel: ['api'],
    repoHostUrl: Array.from(
      { length: 100 },
      (_, number) => `https://github.com/example-labs/agent-${number}`,
    ),
    q: ['repo', 'owner 1'],
  } satisfies KnownValues;
  const send = (request: RawRequest) =>
    sendChecked(url, { ...request, headers: { ...request.headers, ...bearer(key.secret) } });
  // The first call of an account stores its balance of the month, so make it before the tests, which count the rows
  // that requests write.
  const body = { operation: 'agent_score', subject: agent.repository, idempotency_key: 'opens the month' };
  await send({ method: 'POST', path: '/api/svc/operations/run', ...json(body) });
  return { world, known, send };
}
