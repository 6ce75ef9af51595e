import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { fewerUnlessNightly, sampleUnlessNightly } from '../server/testing/nightly.ts';
import { brokenRequests } from './generated-input/broken-requests.ts';
import { type KnownWorld, LENGTH, openKnownWorld, SEED } from './generated-input/known-world.ts';
import { OPERATION_INPUTS } from './generated-input/operation-inputs.ts';
import { countRows } from './targets/server/count-rows.ts';

const RUNS = fewerUnlessNightly(15, 200) * LENGTH;
/** Operations by name; by day every second one. */
const INPUTS = sampleUnlessNightly(OPERATION_INPUTS, (_, index) => index % 2 === 0).map(
  (inputs) => [inputs.operation.operationId, inputs] as const,
);

let knowing: KnownWorld;
beforeAll(async () => {
  knowing = await openKnownWorld();
});
afterAll(() => knowing?.world.stop());

it.each(INPUTS)(
  `%s refuses with 400 whatever breaks the contract, and writes nothing (seed ${SEED})`,
  async (_name, inputs) => {
    const { world, known, send } = knowing;
    const before = await countRows(world.database);

    await fc.assert(
      fc.asyncProperty(brokenRequests(inputs, known), async ({ request }) => {
        expect((await send(request)).status).toBe(400);
      }),
      { seed: SEED, numRuns: RUNS },
    );

    expect(await countRows(world.database)).toEqual(before);
  },
);
