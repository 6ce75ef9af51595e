import { readFileSync } from 'node:fs';
import { TrustDirectory } from '@trust-directory/sdk';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { Example } from '../examples/src/example.ts';
import { lookupAgent } from '../examples/src/lookup-agent.ts';
import { runScore } from '../examples/src/run-score.ts';
import { walkLineage } from '../examples/src/walk-lineage.ts';
import { observedFetch } from './answers/observed-fetch.ts';
import type { States } from './targets/states.ts';
import { TARGETS, type Target } from './targets/target.ts';

type Visitor = States['a visitor with a key'];

/** Every example, what it is called with, and what it shows where it does its work. */
const EXAMPLES: [name: string, example: Example, args: (visitor: Visitor) => string[], shows: RegExp[]][] = [
  [
    'lookup-agent',
    lookupAgent,
    ({ words }) => [words],
    [/[1-9]\d* entries match/, /trust \d/, /creator {5}\S/],
  ],
  [
    'walk-lineage',
    walkLineage,
    ({ id }) => [id],
    [/^\* \S/m, /└─ \S/, /0 ancestors, 1 descendants, depth 1/],
  ],
  [
    'run-score',
    runScore,
    ({ subject }) => [subject],
    [/costs /, /receipt [\w-]{36}, paid from/, /nothing was charged/],
  ],
];

it('no example is left out', () => {
  const program = readFileSync(new URL('../examples/src/run.ts', import.meta.url), 'utf8');

  const names = [...program.matchAll(/^ {2}'([\w-]+)': \w+,$/gm)].map(([, name]) => name);

  expect(names).toEqual(EXAMPLES.map(([name]) => name));
});

describe.each(TARGETS.map(({ name, start }) => [name, start] as const))('on the %s', (_name, start) => {
  let target: Target;
  beforeAll(async () => {
    target = await start(() => undefined);
  });
  afterEach(() => target.restore());
  afterAll(() => target?.stop());

  it.each(EXAMPLES)('%s does what it shows', async (_example, example, args, shows) => {
    const visitor = await target.given('a visitor with a key');
    const { baseUrl, apiKey } = visitor;
    const client = new TrustDirectory({ baseUrl, apiKey, fetch: observedFetch(() => undefined) });
    const lines: string[] = [];

    await example(client, (line) => lines.push(line), ...args(visitor));

    for (const pattern of shows) expect(lines.join('\n')).toMatch(pattern);
  });
});
