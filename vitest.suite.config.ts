import { defineConfig } from 'vitest/config';
import { FILES, MOCKED, NEEDS_DATA, OLDEST, RUN, withDatabase } from './vitest.config.ts';

const { long, ...quick } = FILES;
const QUICK = Object.values(quick).flat();

/**
 * All kinds of tests in one project, for `npm test` and the gate. The files of one project share their workers, so that a
 * worker loads server, SDK and mock once instead of once for each kind.
 */
export default defineConfig({
  test: {
    ...RUN,
    projects: [
      withDatabase('quick', QUICK, ['**/*.{long,nightly}.test.ts', ...NEEDS_DATA]),
      withDatabase('gate', [...QUICK, ...long], ['**/*.nightly.test.ts', MOCKED, ...NEEDS_DATA]),
      OLDEST,
    ],
  },
});
