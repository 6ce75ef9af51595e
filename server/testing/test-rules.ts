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
];

function withoutComments(text: string): string {
  return text.replace(/\/\*[\s\S]*?\*\//g, '').replace(/^\s*\/\/.*$/gm, '');
}
