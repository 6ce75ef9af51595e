import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { operationNamed } from './answers/documented-answers.ts';
import type { Observation } from './answers/observed-fetch.ts';
import { excuseFor } from './excused-answers.ts';
import type { StateName, States } from './targets/states.ts';
import { TARGETS, type Target } from './targets/target.ts';

/** Tools for the tests of one operation on one target. */
export interface OperationUnderTest {
  readonly target: 'server' | 'mock';
  /** Sets up a state, and returns the data that the test's call needs in this state. */
  given<Name extends StateName>(state: Name): Promise<States[Name]>;
  /** Defines the tests of one status. Each of them must receive that status from the operation. */
  answers(status: number, tests: () => void): void;
}

/**
 * Runs the tests of one operation on every target and checks every answer against the contract. The last test of each
 * target fails if a documented status has no tests, or if its tests never received it.
 */
export function describeOperation(
  operationId: string,
  define: (operation: OperationUnderTest) => void,
): void {
  const documented = [...operationNamed(operationId).answers.keys()];

  describe.each(TARGETS.map(({ name, start }) => [name, start] as const))(
    `${operationId} on the %s`,
    (name, start) => {
      const seen: Observation[] = [];
      const received = new Set<number>();
      let target: Target;
      beforeAll(async () => {
        target = await start((observation) => seen.push(observation));
      });
      afterAll(() => target?.stop());
      beforeEach(() => {
        seen.length = 0;
      });
      afterEach(() => target.restore());

      const answers = (status: number, tests: () => void) => {
        if (excuseFor(name, operationId, status) !== undefined) return;
        describe(String(status), () => {
          afterEach(() => {
            expect(seen).toContainEqual({ operationId, status });
            received.add(status);
          });
          tests();
        });
      };
      define({ target: name, given: (state) => target.given(state), answers });

      it('gave every documented answer', () => {
        const expected = documented.filter((status) => excuseFor(name, operationId, status) === undefined);

        expect([...received].sort()).toEqual(expected.sort());
      });
    },
  );
}
