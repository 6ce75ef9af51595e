import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makePlatformAccount } from '../server/src/subjects/testing/account.factory.ts';
import { makeArtifact, makeListing } from '../server/src/subjects/testing/registry.factory.ts';
import { giveCredits, makeAccount } from '../server/src/testing/factories.ts';
import { brokenRequests } from './generated-input/broken-requests.ts';
import { OPERATION_INPUTS } from './generated-input/operation-inputs.ts';
import { requestOf, validParts } from './generated-input/valid-requests.ts';
import type { KnownValues } from './generated-input/valid-values.ts';
import { bearer } from './targets/client.ts';
import { countRows } from './targets/server/count-rows.ts';
import { json, type RawRequest, sendChecked } from './targets/server/raw-request.ts';
import { openServerWorld, type ServerWorld } from './targets/server/server-world.ts';

/** CONTRACT_SEED replays a run; CONTRACT_RUNS makes it longer. */
const SEED = Number(process.env.CONTRACT_SEED ?? Date.now() % 2 ** 31);
const LENGTH = Number(process.env.CONTRACT_RUNS ?? 1);
const BROKEN_RUNS = 200 * LENGTH;
const VALID_RUNS = 60 * LENGTH;

let world: ServerWorld;
let url: string;
let secret: string;
/** What the server knows, so that many of the valid requests lead somewhere. */
const known: Record<string, unknown[]> = {};

beforeAll(async () => {
  world = await openServerWorld();
  url = await world.urlOf('working');
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
  secret = key.secret;
  Object.assign(known, {
    id: [agent.agentId, skill.agentId, 'AGT-ZZZZZZZZ'],
    parentId: [agent.agentId, skill.agentId],
    handle: [agent.creator.handle, `github.com:${agent.creator.handle}`],
    canonical_id: [agent.id, skill.id, account.id],
    subject: [
      agent.repository,
      skill.repository,
      `${skill.repository}#tool`,
      agent.id,
      `@${agent.creator.handle}`,
      'x:someone',
    ],
    api_key_id: [key.id],
    operation: ['agent_score', 'skill_score'],
    channel: ['api'],
    repoHostUrl: Array.from(
      { length: 100 },
      (_, number) => `https://github.com/example-labs/agent-${number}`,
    ),
    q: ['repo', 'owner 1'],
  } satisfies KnownValues);
  const body = { operation: 'agent_score', subject: agent.repository, idempotency_key: 'opens the month' };
  await send({ method: 'POST', path: '/api/svc/operations/run', ...json(body) });
});
afterAll(() => world?.stop());

/** Sends a request with a credential that may do everything; the answer has to fit the contract. */
function send(request: RawRequest) {
  return sendChecked(url, { ...request, headers: { ...request.headers, ...bearer(secret) } });
}

describe.each(OPERATION_INPUTS.map((inputs) => [inputs.operation.operationId, inputs] as const))(
  '%s',
  (_name, inputs) => {
    it(`refuses with 400 whatever breaks the contract, and writes nothing (seed ${SEED})`, async () => {
      const before = await countRows(world.database);

      await fc.assert(
        fc.asyncProperty(brokenRequests(inputs, known), async ({ request }) => {
          expect((await send(request)).status).toBe(400);
        }),
        { seed: SEED, numRuns: BROKEN_RUNS },
      );

      expect(await countRows(world.database)).toEqual(before);
    });

    it(`answers whatever the contract allows as documented, and never fails (seed ${SEED})`, async () => {
      await fc.assert(
        fc.asyncProperty(validParts(inputs, known), async (parts) => {
          const { status } = await send(requestOf(inputs, parts));

          expect(status).not.toBe(500);
          // Beyond its schema, only a cursor, a host or a parent can be wrong.
          const mayBeRefused = 'cursor' in parts.query || inputs.operation.operationId === 'registerAgent';
          if (!mayBeRefused) expect(status).not.toBe(400);
        }),
        { seed: SEED, numRuns: VALID_RUNS },
      );
    });
  },
);
