import { defineConfig } from 'vitest/config';

const PROPERTY_SEED = 'server/testing/property-seed.ts';
const outside = ['**/node_modules/**', '**/dist/**'];
/** File that replaces modules, and therefore runs in its own project with isolation. */
const MOCKED = 'contract-tests/proxy.long.test.ts';
/**
 * Polling limits: what is polled arrives immediately or never, so the timeout only ends a hanging test. Vitest's default of
 * one second is too short for a busy machine.
 */
const PATIENT = { poll: { timeout: 50_000, interval: 20 } };

/** Kinds of test, told apart by their file names: nothing needed, a database, a browser or whole processes, minutes. */
export default defineConfig({
  test: {
    reporters: ['default'],
    // Most tests wait for a database or another process, so two cores carry more files than two at a time.
    maxWorkers: 3,
    projects: [
      {
        test: {
          name: 'unit',
          include: [
            '{server,torture,bench,ops,sdk,examples,contract-tests}/**/*.test.ts',
            '{server,sdk}/**/*.test.tsx',
          ],
          exclude: [...outside, '**/*.{db,e2e,contract,long}.test.ts'],
          // Our modules hold no state, so files may share them: it saves a third of the work, here and below.
          isolate: false,
          setupFiles: [PROPERTY_SEED],
          testTimeout: 60_000,
          expect: PATIENT,
          hookTimeout: 120_000,
        },
      },
      {
        test: {
          name: 'database',
          include: ['{server,torture}/**/*.db.test.ts'],
          exclude: outside,
          isolate: false,
          setupFiles: [PROPERTY_SEED],
          globalSetup: ['server/testing/global-setup.ts'],
          testTimeout: 60_000,
          expect: PATIENT,
          hookTimeout: 120_000,
        },
      },
      {
        test: {
          name: 'contract',
          include: ['{contract-tests,examples,sdk}/**/*.contract.test.ts'],
          exclude: outside,
          isolate: false,
          globalSetup: ['server/testing/global-setup.ts'],
          testTimeout: 60_000,
          expect: PATIENT,
          hookTimeout: 120_000,
        },
      },
      {
        test: {
          name: 'end-to-end',
          include: ['{server,sdk,examples,contract-tests}/**/*.e2e.test.ts'],
          exclude: outside,
          isolate: false,
          globalSetup: ['server/testing/global-setup.ts'],
          testTimeout: 180_000,
          expect: PATIENT,
          hookTimeout: 120_000,
        },
      },
      // The ledger and the migrations once more, on the oldest supported server with its hot tables in parts: only the gate runs it.
      {
        test: {
          name: 'long-oldest',
          include: [
            'server/src/{billing/ledger,operations}/**/*.db.test.ts',
            'server/src/platform/database/{migrate,describe-schema}*.db.test.ts',
          ],
          exclude: outside,
          isolate: false,
          setupFiles: [PROPERTY_SEED],
          globalSetup: ['server/testing/oldest-global-setup.ts'],
          testTimeout: 60_000,
          hookTimeout: 120_000,
          expect: PATIENT,
        },
      },
      // What takes minutes: `npm run test:long` and the gate run it, `npm test` doesn't.
      {
        test: {
          name: 'long',
          include: ['{server,torture,bench,ops,sdk,contract-tests}/**/*.long.test.ts'],
          exclude: [...outside, MOCKED],
          isolate: false,
          globalSetup: ['server/testing/global-setup.ts'],
          testTimeout: 180_000,
          expect: PATIENT,
          hookTimeout: 120_000,
        },
      },
      {
        test: {
          name: 'long-proxy',
          include: [MOCKED],
          globalSetup: ['server/testing/global-setup.ts'],
          testTimeout: 180_000,
          expect: PATIENT,
          hookTimeout: 120_000,
        },
      },
    ],
  },
});
