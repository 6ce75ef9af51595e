import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type KnownWorld, LENGTH, openKnownWorld, SEED } from './generated-input/known-world.ts';
import { OPERATION_INPUTS } from './generated-input/operation-inputs.ts';
import { requestOf, validParts } from './generated-input/valid-requests.ts';

const RUNS = 65 * LENGTH;

let knowing: KnownWorld;
beforeAll(async () => {
  knowing = await openKnownWorld();
});
afterAll(() => knowing?.world.stop());

it.each(OPERATION_INPUTS.map((inputs) => [inputs.operation.operationId, inputs] as const))(
  `%s answers whatever the contract allows as documented, and never fails (seed ${SEED})`,
  async (operationId, inputs) => {
    await fc.assert(
      fc.asyncProperty(validParts(inputs, knowing.known), async (parts) => {
        const { status } = await knowing.send(requestOf(inputs, parts));

        expect(status).not.toBe(500);
        // Beyond its schema, only a cursor, a host, a parent or the order of two days can be wrong.
        const { cursor, from = '', to = from } = parts.query;
        const mayBeRefused =
          cursor !== undefined || String(from) > String(to) || operationId === 'registerAgent';
        if (!mayBeRefused) expect(status).not.toBe(400);
      }),
      { seed: SEED, numRuns: RUNS },
    );
  },
);
