import { defineConfig } from 'vitest/config';
import { IS_NIGHTLY, LONGER_AT_NIGHT } from './server/testing/nightly.ts';

const PROPERTY_SEED = 'server/testing/property-seed.ts';
/** Folders without tests of ours. */
export const OUTSIDE = ['**/node_modules/**', '**/dist/**'];
const FOLDERS = '{server,torture,bench,ops,sdk,contract-tests}';
/** Tests whose result depends on the version of PostgreSQL: schema, statements of the ledger, partitions. */
const DEPENDS_ON_VERSION = [
  'server/src/platform/database/describe-schema.long.test.ts',
  'server/src/billing/ledger/{schema,guards,archive,verify,charge-order}*.db.test.ts',
];
/** File that replaces modules, and therefore runs in its own project with isolation. */
const MOCKED = 'contract-tests/proxy.nightly.test.ts';
/** Tests to leave out unless a person names the folder of the whole data set. */
export const NEEDS_DATA = process.env.LISTINGS_DIR ? [] : ['**/real-evidence.db.test.ts'];
/**
 * Polling limits: what is polled arrives immediately or never, so the timeout only ends a hanging test. Vitest's default of
 * one second is too short for a busy machine.
 */
const PATIENT = { poll: { timeout: 50_000, interval: 20 } };

/** Settings of every project. Modules hold no state, so test files share loaded modules: it saves a third of the work. */
const SHARED = {
  isolate: false,
  setupFiles: [PROPERTY_SEED],
  testTimeout: 180_000,
  hookTimeout: 120_000,
  expect: PATIENT,
};
const DATABASE = { ...SHARED, globalSetup: ['server/testing/global-setup.ts'] };

/**
 * Files of each kind of test. Unit tests need nothing, database tests a database, contract tests the server and the mock,
 * end-to-end tests whole processes or a browser. Long tests take seconds to minutes.
 */
export const FILES = {
  unit: ['{server,torture,bench,ops,sdk,examples,contract-tests}/**/*.test.ts', '{server,sdk}/**/*.test.tsx'],
  database: ['{server,torture}/**/*.db.test.ts'],
  contract: ['{contract-tests,examples,sdk}/**/*.contract.test.ts'],
  'end-to-end': ['{server,sdk,examples,contract-tests}/**/*.e2e.test.ts'],
  long: [`${FOLDERS}/**/*.long.test.ts`],
};

/** Returns a project whose tests use the PostgreSQL of the run. */
export function withDatabase(name: string, include: string[], exclude: string[] = []) {
  return { test: { ...DATABASE, name, include, exclude: [...OUTSIDE, ...exclude] } };
}

/**
 * Project on the oldest supported PostgreSQL, with large tables in partitions. The gate runs the tests whose result depends on the
 * server's version; `npm run test:nightly` runs everything about migrations, the ledger and metered calls.
 */
export const OLDEST = {
  test: {
    ...SHARED,
    name: 'long-oldest',
    include: IS_NIGHTLY
      ? [
          'server/src/{billing/ledger,operations}/**/*.{db,long}.test.ts',
          'server/src/platform/database/migrate*.long.test.ts',
          ...DEPENDS_ON_VERSION,
        ]
      : DEPENDS_ON_VERSION,
    exclude: OUTSIDE,
    globalSetup: ['server/testing/oldest-global-setup.ts'],
  },
};

/** Settings of every run. */
export const RUN = {
  reporters: ['default'],
  // Most tests wait for a database or another process, so two cores carry more files than two at a time.
  maxWorkers: 3,
  // Projects and runs share compiled modules: otherwise each project of each run compiles the whole server anew.
  experimental: { fsModuleCache: true },
};

/**
 * Runs single files or kinds of tests, which are projects here. `vitest.suite.config.ts` runs all kinds in one project.
 */
export default defineConfig({
  test: {
    ...RUN,
    projects: [
      {
        test: {
          ...SHARED,
          name: 'unit',
          include: FILES.unit,
          exclude: [...OUTSIDE, '**/*.{db,e2e,contract,long,nightly}.test.ts'],
        },
      },
      withDatabase('database', FILES.database, NEEDS_DATA),
      withDatabase('contract', FILES.contract),
      withDatabase('end-to-end', FILES['end-to-end']),
      OLDEST,
      // Tests that take seconds to minutes, such as those that kill processes or drive a browser. `npm run test:long` and the
      // gate run them, `npm test` does not.
      withDatabase('long', FILES.long),
      // Run by `npm run test:nightly` only.
      withDatabase('long-nightly', [`${FOLDERS}/**/*.nightly.test.ts`, ...LONGER_AT_NIGHT], [MOCKED]),
      { test: { ...DATABASE, name: 'long-proxy', isolate: true, setupFiles: [], include: [MOCKED] } },
    ],
  },
});
