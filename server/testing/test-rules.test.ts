import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { LONGER_AT_NIGHT } from './nightly.ts';
import { breachesOf } from './test-rules.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const FOLDERS = [
  'server',
  'torture',
  'contract-tests',
  'sdk/src',
  'sdk/test',
  'sdk/cli',
  'sdk/mock',
  'sdk/compatibility',
  'examples/src',
];
/** Tests and their helpers. */
const OF_TESTS =
  /\.test\.tsx?$|\/testing\/.*\.ts$|^torture\/.*\.ts$|^contract-tests\/.*\.ts$|^sdk\/test\/.*\.ts$/;
/** Excluded because it contains the forbidden texts. */
const THESE_RULES = /\/test-rules(\.test)?\.ts$/;

function sourcesOfTests(): string[] {
  return FOLDERS.flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true }).map((file) => `${folder}/${file}`),
  ).filter((path) => OF_TESTS.test(path) && !/node_modules|\/dist\//.test(path) && !THESE_RULES.test(path));
}

describe('every test and its harness', () => {
  it('draw no chance without a seed, take no port that they do not hold, and work by counts', () => {
    const paths = sourcesOfTests();

    const breaches = paths.flatMap((path) =>
      breachesOf(path, readFileSync(join(ROOT, path), 'utf8')).map((breach) => `${path}: ${breach}`),
    );

    expect(breaches).toEqual([]);
    expect(paths.length).toBeGreaterThan(300);
  });

  it('run at night where they try more then', () => {
    const isDaily = (path: string) => /(?<!\.(long|nightly))\.test\.tsx?$/.test(path);
    const longer = sourcesOfTests().filter(
      (path) => isDaily(path) && /\/nightly\.ts'/.test(readFileSync(join(ROOT, path), 'utf8')),
    );

    expect(longer.sort()).toEqual(LONGER_AT_NIGHT);
  });
});

describe('the rules', () => {
  it.each([
    ['a.test.ts', 'const x = items[Math.floor(Math.random() * 3)];', /Math\.random/],
    ['testing/a.ts', 'const seed = randomInt(9);', /randomInt/],
    ['a.contract.test.ts', 'fc.assert(property, { numRuns: 3 });', /seed/],
    ['a.e2e.test.ts', 'await fc.check(property);', /seed/],
    ['testing/a.ts', 'const port = await freePort();', /port/],
    ['a.test.ts', "import getPort from 'get-port';", /port/],
    ['a.db.test.ts', 'while (Date.now() < until) await work();', /count/],
    ['a.db.test.ts', 'await sleep(200);', /outlasts a sleep/],
    ['a.test.ts', 'await new Promise((resolve) => setTimeout(resolve, 1_000));', /outlasts a sleep/],
    ['a.test.ts', 'await vi.waitFor(() => expect(seen).toHaveLength(1));', /timeout/],
    ['a.test.ts', "describe('x', { retry: 2 }, work);", /deterministic/],
  ])('find the breach of %s: %s', (path, text, breach) => {
    expect(breachesOf(path, text)).toEqual([expect.stringMatching(breach)]);
  });

  it.each([
    ['a.test.ts', '// Math.random would do, but'],
    ['a.db.test.ts', 'await fc.assert(property);'],
    ['a.contract.test.ts', 'fc.assert(property, { seed: SEED });'],
    ['testing/test-chance.ts', 'const seed = randomInt(9);'],
    ['a.test.ts', 'server.listen(0);'],
    ['a.test.ts', 'while (rounds < 4) await sleep(2);'],
    ['a.db.test.ts', 'while (await isBusy())\n  await new Promise((resolve) => setTimeout(resolve, 5));'],
    ['a.test.ts', 'await vi.waitUntil(() => isOpen, { timeout: 60_000 });'],
    ['testing/a.ts', 'await sleep(20);'],
  ])('let pass in %s: %s', (path, text) => {
    expect(breachesOf(path, text)).toEqual([]);
  });
});
