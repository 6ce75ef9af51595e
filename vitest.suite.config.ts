import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { FILES, NEEDS_DATA, OLDEST, RUN, withDatabase } from './vitest.config.ts';

const { long, ...quick } = FILES;
const QUICK = Object.values(quick).flat();

/**
 * Starts long tests first: one that starts last runs alone for up to a minute. On a clean checkout Vitest knows no durations
 * and starts the largest files first.
 */
class LongFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const isLong = ({ moduleId }: TestSpecification) => moduleId.endsWith('.long.test.ts');
    return [...sorted.filter(isLong), ...sorted.filter((file) => !isLong(file))];
  }
}

/**
 * All kinds of tests in one project, for `npm test` and the gate. The files of one project share their workers, so that a
 * worker loads server, SDK and mock once instead of once for each kind.
 */
export default defineConfig({
  test: {
    ...RUN,
    sequence: { sequencer: LongFirst },
    projects: [
      withDatabase('quick', QUICK, ['**/*.{long,nightly}.test.ts', ...NEEDS_DATA]),
      withDatabase('gate', [...QUICK, ...long], ['**/*.nightly.test.ts', ...NEEDS_DATA]),
      OLDEST,
    ],
  },
});
