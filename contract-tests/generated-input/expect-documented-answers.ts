import fc from 'fast-check';
import { expect } from 'vitest';
import { type KnownWorld, SEED } from './known-world.ts';
import type { OPERATION_INPUTS } from './operation-inputs.ts';
import { requestOf, validParts } from './valid-requests.ts';

/** Sends generated requests that conform to the contract, and expects documented answers and no failure. */
export async function expectDocumentedAnswers(
  { known, send }: KnownWorld,
  inputs: (typeof OPERATION_INPUTS)[number],
  numRuns: number,
): Promise<void> {
  await fc.assert(
    fc.asyncProperty(validParts(inputs, known), async (parts) => {
      const { status } = await send(requestOf(inputs, parts));

      expect(status).not.toBe(500);
      // A value can be invalid although its schema allows it: a cursor, a host, a parent, a package, a time, or a range of days.
      const { cursor, from, to, package: named, since } = parts.query;
      const isRegistration = inputs.operation.operationId === 'registerAgent';
      const mayBeRefused =
        [cursor, named, since].some((value) => value !== undefined) || isRegistration || !areDays(from, to);
      if (!mayBeRefused) expect(status).not.toBe(400);
    }),
    { seed: SEED, numRuns },
  );
}

/** Checks that the given days exist in the calendar and are in order. */
function areDays(from: unknown, to: unknown): boolean {
  const given = [from, to].filter((day) => day !== undefined).map(String);
  const isInCalendar = (day: string) =>
    new Date(Date.parse(`${day}T00:00Z`)).toJSON()?.startsWith(day) ?? false;
  return given.every(isInCalendar) && given.join() === given.toSorted().join();
}
