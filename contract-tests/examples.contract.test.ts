import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { TrustDirectory } from '@trust-directory/sdk';
import { afterAll, afterEach, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { budgetGuard } from '../examples/src/budget-guard.ts';
import type { Example } from '../examples/src/example.ts';
import { gateInstall } from '../examples/src/gate-install.ts';
import { lineagePicture } from '../examples/src/lineage-picture.ts';
import { lookupAgent } from '../examples/src/lookup-agent.ts';
import { readmeBadge } from '../examples/src/readme-badge.ts';
import { reconcileReceipts } from '../examples/src/reconcile-receipts.ts';
import { registerFromCi } from '../examples/src/register-from-ci.ts';
import { resumeRun } from '../examples/src/resume-run.ts';
import { runScore } from '../examples/src/run-score.ts';
import { scanLockfile } from '../examples/src/scan-lockfile.ts';
import { walkLineage } from '../examples/src/walk-lineage.ts';
import { observedFetch } from './answers/observed-fetch.ts';
import type { States } from './targets/states.ts';
import { TARGETS, type Target } from './targets/target.ts';

type Visitor = States['a visitor with a key'];

/** Creates a file for a program to read or write; removed after the test. */
async function file(name: string, text?: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'trust-directory-example-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const path = join(folder, name);
  if (text !== undefined) await writeFile(path, text);
  return path;
}

/** Makes one more call and returns a statement of all settled receipts as CSV. */
async function statementOf(client: TrustDirectory, subject: string): Promise<string> {
  await client.operations.run({ operation: 'agent_score', subject });
  const rows = ['ledger_id,amount'];
  for await (const { ledger_id, amount } of client.receipts.list({ state: 'settled' })) {
    rows.push(`${ledger_id},${amount}`);
  }
  return rows.join('\n');
}

const lockfileWith = (subject: string) =>
  JSON.stringify({
    packages: { 'node_modules/a': { resolved: `git+ssh://git@github.com/${subject}.git#1f0c2e` } },
  });

interface Case {
  example: Example;
  /** Command-line arguments of the example. */
  args: (visitor: Visitor, client: TrustDirectory) => string[] | Promise<string[]>;
  /** Patterns that a successful run prints. */
  shows: RegExp[];
}

/** Examples that end by themselves. The others have their own tests. */
const EXAMPLES: Record<string, Case> = {
  'lookup-agent': {
    example: lookupAgent,
    args: ({ words }) => [words],
    shows: [/[1-9]\d* entries match/, /trust \d/, /creator {5}\S/],
  },
  'walk-lineage': {
    example: walkLineage,
    args: ({ id }) => [id],
    shows: [/^\* \S/m, /└─ \S/, /0 ancestors, 1 descendants, depth 1/],
  },
  'run-score': {
    example: runScore,
    args: ({ subject }) => [subject],
    shows: [/costs /, /receipt [\w-]{36}, paid from/, /nothing was charged/],
  },
  'gate-install': {
    example: gateInstall,
    args: ({ subject }) => [subject, '1', '1', '36500'],
    shows: [/^\S.* may be installed: trust \d+\.\d, confidence \d/],
  },
  'scan-lockfile': {
    example: scanLockfile,
    args: async ({ subject }) => [await file('package-lock.json', lockfileWith(subject))],
    shows: [/: trust \d/, /knows 1 of 1 packages/],
  },
  'readme-badge': {
    example: readmeBadge,
    args: ({ subject }) => [subject],
    shows: [/^<svg [\s\S]*\d+ of 100, confidence \d+[\s\S]*<\/svg>$/],
  },
  'lineage-picture': {
    example: lineagePicture,
    args: ({ id }) => [id],
    shows: [/^<svg [\s\S]*stroke-width="3"[\s\S]*stroke-width="1"[\s\S]*<\/svg>$/],
  },
  'budget-guard': {
    example: budgetGuard,
    args: ({ subject }) => ['20', subject, subject],
    shows: [/: trust \d/, /All were scored; 20 credits of the budget are left/],
  },
  'resume-run': {
    example: resumeRun,
    args: async ({ subject }) => [subject, await file('pending-run.json')],
    shows: [/: trust \d.*, receipt [\w-]{36}$/],
  },
  'reconcile-receipts': {
    example: reconcileReceipts,
    args: async ({ subject }, client) => [await file('statement.csv', await statementOf(client, subject))],
    shows: [/^[1-9]\d* receipts agree with the statement\.$/],
  },
  'register-from-ci': {
    example: registerFromCi,
    args: () => [
      `https://github.com/example-labs/agent-${randomUUID()}`,
      'An agent',
      'Made in a pipeline',
      'coding',
    ],
    shows: [/^Listed as AGT-\w{8}: https?:\/\/\S+$/],
  },
};

const TESTED_ELSEWHERE = ['browser-page'];

it('no example is left out', () => {
  const program = readFileSync(new URL('../examples/src/run.ts', import.meta.url), 'utf8');

  const names = [...program.matchAll(/^ {2}'([\w-]+)': \w+,$/gm)].map(([, name]) => name);

  expect(names).toEqual([...Object.keys(EXAMPLES), ...TESTED_ELSEWHERE]);
});

describe.each(TARGETS.map(({ name, start }) => [name, start] as const))('on the %s', (_name, start) => {
  let target: Target;
  beforeAll(async () => {
    target = await start(() => undefined);
  });
  afterEach(() => target.restore());
  afterAll(() => target?.stop());

  it.each(Object.entries(EXAMPLES))('%s does what it shows', async (_name, { example, args, shows }) => {
    const visitor = await target.given('a visitor with a key');
    const { baseUrl, apiKey } = visitor;
    const observed = observedFetch(() => undefined);
    const fetch = (url: string, init: RequestInit) => observed(new Request(url, init));
    const client = new TrustDirectory({ baseUrl, apiKey, fetch });
    const lines: string[] = [];

    await example(client, (line) => lines.push(line), ...(await args(visitor, client)));

    for (const pattern of shows) expect(lines.join('\n')).toMatch(pattern);
  });
});
