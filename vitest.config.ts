import { defineConfig } from 'vitest/config';
import { IS_NIGHTLY, LONGER_AT_NIGHT } from './server/testing/nightly.ts';

const PROPERTY_SEED = 'server/testing/property-seed.ts';
const outside = ['**/node_modules/**', '**/dist/**'];
const FOLDERS = '{server,torture,bench,ops,sdk,contract-tests}';
/** Tests whose result depends on the version of PostgreSQL: schema, statements of the ledger, partitions. */
const DEPENDS_ON_VERSION = [
  'server/src/platform/database/{migrate,describe-schema}*.db.test.ts',
  'server/src/billing/ledger/{schema,guards,archive,verify,charge-order}*.db.test.ts',
  'server/src/operations/{six-operations.db,cached-plans.long}.test.ts',
];
/** File that replaces modules, and therefore runs in its own project with isolation. */
const MOCKED = 'contract-tests/proxy.long.test.ts';
/**
 * Polling limits: what is polled arrives immediately or never, so the timeout only ends a hanging test. Vitest's default of
 * one second is too short for a busy machine.
 */
const PATIENT = { poll: { timeout: 50_000, interval: 20 } };

/** Kinds of tests, by file name: they need nothing, a database, server and mock, whole processes or a browser, minutes. */
export default defineConfig({
  test: {
    reporters: ['default'],
    // Most tests wait for a database or another process, so two cores carry more files than two at a time.
    maxWorkers: 3,
    // Projects and runs share compiled modules: otherwise each project of each run compiles the whole server anew.
    experimental: { fsModuleCache: true },
    projects: [
      {
        test: {
          name: 'unit',
          include: [
            '{server,torture,bench,ops,sdk,examples,contract-tests}/**/*.test.ts',
            '{server,sdk}/**/*.test.tsx',
          ],
          exclude: [...outside, '**/*.{db,e2e,contract,long,nightly}.test.ts'],
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
          // These tests need the whole data set, whose folder a person names.
          exclude: [...outside, ...(process.env.LISTINGS_DIR ? [] : ['**/real-evidence.db.test.ts'])],
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
      // On the oldest supported PostgreSQL, with large tables in partitions. The gate runs the tests whose result depends on the
      // server's version; `npm run test:nightly` runs everything about the ledger and metered calls.
      {
        test: {
          name: 'long-oldest',
          include: IS_NIGHTLY
            ? ['server/src/{billing/ledger,operations}/**/*.{db,long}.test.ts', ...DEPENDS_ON_VERSION]
            : DEPENDS_ON_VERSION,
          exclude: outside,
          isolate: false,
          setupFiles: [PROPERTY_SEED],
          globalSetup: ['server/testing/oldest-global-setup.ts'],
          testTimeout: 180_000,
          hookTimeout: 120_000,
          expect: PATIENT,
        },
      },
      // Kills, browsers and other tests of seconds to minutes: `npm run test:long` and the gate run them, `npm test` does not.
      {
        test: {
          name: 'long',
          include: [`${FOLDERS}/**/*.long.test.ts`],
          exclude: [...outside, MOCKED],
          isolate: false,
          setupFiles: [PROPERTY_SEED],
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
      // Run by `npm run test:nightly` only.
      {
        test: {
          name: 'long-nightly',
          include: [`${FOLDERS}/**/*.nightly.test.ts`, ...LONGER_AT_NIGHT],
          exclude: outside,
          isolate: false,
          setupFiles: [PROPERTY_SEED],
          globalSetup: ['server/testing/global-setup.ts'],
          testTimeout: 180_000,
          expect: PATIENT,
          hookTimeout: 120_000,
        },
      },
    ],
  },
});
