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
        // Beyond its schema, only a cursor, a host, a parent or days can be wrong.
        const { cursor, from, to } = parts.query;
        const mayBeRefused = cursor !== undefined || operationId === 'registerAgent' || !areDays(from, to);
        if (!mayBeRefused) expect(status).not.toBe(400);
      }),
      { seed: SEED, numRuns: RUNS },
    );
  },
);

/** Checks that the given days exist in the calendar and are in order. */
function areDays(from: unknown, to: unknown): boolean {
  const given = [from, to].filter((day) => day !== undefined).map(String);
  const isInCalendar = (day: string) =>
    new Date(Date.parse(`${day}T00:00Z`)).toJSON()?.startsWith(day) ?? false;
  return given.every(isInCalendar) && given.join() === given.toSorted().join();
}
