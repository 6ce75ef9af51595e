/** What a test must not be made of, since a busy machine or bad luck would turn it red: a sentence for each breach. */
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

/** They begin a run: they choose a seed, tell it, and take one from outside. */
const SEED_CHOOSERS = /(^|\/)(test-chance|run-in-suite|options)\.ts$/;
/** vitest.config.ts gives the tests of these names their seed in a setup file. */
const SEEDED_PROJECTS = (path: string) => !/\.(contract|e2e)\.test\.ts$/.test(path);

/** Sleeps that no busy machine can turn red, and what each is for. Anything else waits for what it waits for. */
const SLEEPS: Readonly<Record<string, string>> = {
  'sdk/mock/start-mock.test.ts': 'a caller sends a part of a body, some time before it goes away',
  'sdk/src/transport/call.test.ts': 'nothing may come',
  'sdk/src/transport/deadline.test.ts': 'nothing may come',
  'sdk/src/transport/hooks.test.ts': 'a hook takes its time',
  'server/src/background-task.test.ts': 'nothing may come',
  'server/src/database/embedded-sharing.long.test.ts': 'nothing may come',
  'server/src/http/secrecy.db.test.ts': 'calls go on between two ends of their sessions',
  'server/src/ledger/guards.db.test.ts': 'a lease of a millisecond ends',
  'server/src/ledger/reap.db.test.ts': 'leases of a millisecond end',
  'server/src/ledger/settle.db.test.ts': 'it spreads racers',
  'server/src/operations/overtaken-score.db.test.ts': 'nothing may come',
  'server/src/proofs/verify-linked-account.db.test.ts': 'its wait() moves the clock of the database',
  'server/src/scoring/backends/http-backend.test.ts': 'the rest of an answer is read beside us',
};
/** In a loop it is no more than how often something is looked at. */
const SLEEP = /(?<!while \([^\n]*\n?[^\n]*)(\b(sleep|wait)\(|setTimeout\(resolve, )\d/;

const RULES: readonly { breaks(source: Source): boolean; instead: string }[] = [
  {
    breaks: ({ code }) => /\bMath\.random\b/.test(code),
    instead: 'Math.random cannot be had again: take testChance() or createRandom(seed)',
  },
  {
    breaks: ({ path, code }) => /\brandomInt\(/.test(code) && !SEED_CHOOSERS.test(path),
    instead: 'randomInt cannot be had again: take testChance() or createRandom(seed)',
  },
  {
    breaks: ({ path, code, isTest }) =>
      isTest &&
      /\bfc\.(assert|check|sample)\(/.test(code) &&
      !SEEDED_PROJECTS(path) &&
      !/\bseed\b/.test(code),
    instead: 'only unit and database tests get a seed by themselves: give fast-check one and tell it',
  },
  {
    breaks: ({ code }) => /\b(freePort|getPort|get-port|portfinder)\b/.test(code),
    instead: 'a port that was free may be another’s by now: listen on port 0, or hold it with holdPort()',
  },
  {
    breaks: ({ code, isTest }) => isTest && /while \([^)]*Date\.now\(\) *</.test(code),
    instead: 'so many seconds of work are none on a busy machine: count what was done',
  },
  {
    breaks: ({ path, code, isTest }) => isTest && SLEEP.test(code) && !(path in SLEEPS),
    instead:
      'a busy machine outlasts a sleep: wait for what you wait for (expect.poll, untilBlocked, a barrier), or name the sleep in SLEEPS',
  },
  {
    breaks: ({ code, isTest }) => isTest && /\bvi\.wait(For|Until)\((?![^;]*(timeout:|SOON))/.test(code),
    instead:
      'that gives up after a second, which is nothing on a busy machine: expect.poll has the patience of the suite',
  },
  {
    breaks: ({ code, isTest }) => isTest && /\bretry: *\d/.test(code),
    instead: 'a test that is tried until it passes says nothing: make it certain',
  },
];

function withoutComments(text: string): string {
  return text.replace(/\/\*[\s\S]*?\*\//g, '').replace(/^\s*\/\/.*$/gm, '');
}
