/**
 * Lists the rules that a test breaks, one sentence each. They forbid whatever makes a test fail on a busy machine or by
 * chance.
 */
export function breachesOf(path: string, text: string): string[] {
  const code = withoutComments(text);
  const isTest = /\.test\.tsx?$/.test(path);
  return RULES.filter(({ breaks }) => breaks({ path, code, isTest })).map(({ instead }) => instead);
}

interface Source {
  readonly path: string;
  readonly code: string;
  readonly isTest: boolean;
}

/** Files that start a run: they choose a seed, print it, and accept one from outside. */
const SEED_CHOOSERS = /(^|\/)(test-chance|run-in-suite|options)\.ts$/;
/** Tests that get their seed from a setup file in vitest.config.ts. */
const SEEDED_PROJECTS = (path: string) => !/\.(contract|e2e)\.test\.ts$/.test(path);

/** Sleeps that are safe on a busy machine, with their purpose. All other tests wait for a condition. */
const SLEEPS: Readonly<Record<string, string>> = {
  'sdk/mock/start-mock.test.ts': 'a caller sends a part of a body, some time before it goes away',
  'sdk/src/transport/call.test.ts': 'nothing may come',
  'sdk/src/transport/deadline.test.ts': 'nothing may come',
  'sdk/src/transport/hooks.test.ts': 'a hook takes its time',
  'server/src/platform/jobs/background-job.test.ts': 'nothing may come',
  'server/src/platform/embedded-postgres/embedded-sharing.nightly.test.ts': 'nothing may come',
  'server/src/platform/http/secrecy.long.test.ts': 'calls go on between two ends of their sessions',
  'server/src/billing/ledger/guards.db.test.ts': 'a lease of a millisecond ends',
  'server/src/billing/ledger/reap.db.test.ts': 'leases of a millisecond end',
  'server/src/billing/ledger/settle.db.test.ts': 'it spreads racers',
  'server/src/operations/overtaken-score.db.test.ts': 'nothing may come',
  'server/src/ownership/proofs/verify-linked-account.long.test.ts':
    'its wait() moves the clock of the database',
  'server/src/scoring/backends/http-backend.test.ts': 'the rest of an answer is read beside us',
};
/** Matches a sleep outside of a loop; in a loop it is only a polling interval. */
const SLEEP = /(?<!while \([^\n]*\n?[^\n]*)(\b(sleep|wait)\(|setTimeout\(resolve, )\d/;

const RULES: readonly { breaks(source: Source): boolean; instead: string }[] = [
  {
    breaks: ({ code }) => /\bMath\.random\b/.test(code),
    instead: 'Math.random is not reproducible: use testChance() or createRandom(seed)',
  },
  {
    breaks: ({ path, code }) => /\brandomInt\(/.test(code) && !SEED_CHOOSERS.test(path),
    instead: 'randomInt is not reproducible: use testChance() or createRandom(seed)',
  },
  {
    breaks: ({ path, code, isTest }) =>
      isTest &&
      /\bfc\.(assert|check|sample)\(/.test(code) &&
      !SEEDED_PROJECTS(path) &&
      !/\bseed\b/.test(code),
    instead: 'only unit and database tests get a seed automatically: pass fast-check a seed and print it',
  },
  {
    breaks: ({ code }) => /\b(freePort|getPort|get-port|portfinder)\b/.test(code),
    instead: 'a free port may be taken before it is used: listen on port 0, or reserve it with holdPort()',
  },
  {
    breaks: ({ code, isTest }) => isTest && /while \([^)]*Date\.now\(\) *</.test(code),
    instead: 'a busy machine may do no work in a fixed time: count iterations instead of seconds',
  },
  {
    breaks: ({ path, code, isTest }) => isTest && SLEEP.test(code) && !(path in SLEEPS),
    instead:
      'a busy machine outlasts a sleep: wait for a condition (expect.poll, untilBlocked, a barrier), or list the sleep in SLEEPS',
  },
  {
    breaks: ({ code, isTest }) => isTest && /\bvi\.wait(For|Until)\((?![^;]*(timeout:|SOON))/.test(code),
    instead:
      'this times out after a second, too soon on a busy machine: expect.poll has the timeout of the suite',
  },
  {
    breaks: ({ code, isTest }) => isTest && /\bretry: *\d/.test(code),
    instead: 'a retried test proves nothing: make it deterministic',
  },
];

function withoutComments(text: string): string {
  return text.replace(/\/\*[\s\S]*?\*\//g, '').replace(/^\s*\/\/.*$/gm, '');
}
