import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { startTestServer } from '../../server/testing/test-server.ts';
import { createRandom } from '../random.ts';
import { EQUIVALENTS, withoutEquivalents } from './equivalents.ts';
import { findMutants } from './find-mutants.ts';
import type { Mutant } from './mutant.ts';
import { openWorkshop, type Workshop } from './run-mutant.ts';
import { TARGETS, type Target } from './targets.ts';

const PROJECT = fileURLToPath(new URL('../..', import.meta.url));
const TIME_LIMIT_MS = 240_000;
/** Minimum share of mutants that the tests must detect. */
const LEAST_KILLED = 0.85;
const SOUND = new Set<readonly string[]>();

interface Verdict extends Mutant {
  readonly target: string;
  /** Stage whose tests detected the mutant, and whether by a timeout; null if no test did. */
  readonly killedBy: string | null;
}

async function mutantsOf(target: Target): Promise<Mutant[]> {
  const files = target.files.filter((file) => file.includes(values.file ?? ''));
  const texts = await Promise.all(files.map((file) => readFile(join(PROJECT, file), 'utf8')));
  return withoutEquivalents(files.flatMap((file, place) => findMutants(file, texts[place] as string)));
}

/** Throws if the tests of a stage fail without a mutant. Runs once per stage, before the first mutant that needs it. */
async function requireSound(workshop: Workshop, filters: readonly string[]): Promise<void> {
  if (SOUND.has(filters)) return;
  if ((await workshop.test(filters, TIME_LIMIT_MS)) !== 0)
    throw new Error(`${filters.join(' ')} fails as it is: nothing can be said of mutants.`);
  SOUND.add(filters);
}

async function judge(workshop: Workshop, target: Target, mutant: Mutant): Promise<Verdict['killedBy']> {
  for (const [stage, filters] of target.stages.entries()) {
    await requireSound(workshop, filters);
    const code = await workshop.withMutant(mutant, () => workshop.test(filters, TIME_LIMIT_MS));
    if (code !== 0) return `stage ${stage + 1}${code === 'timeout' ? ', out of time' : ''}`;
  }
  return null;
}

function reportOf(verdicts: readonly Verdict[], seed: number): string {
  const killed = verdicts.filter(({ killedBy }) => killedBy !== null);
  const share = ((100 * killed.length) / Math.max(1, verdicts.length)).toFixed(1);
  const survivors = verdicts.filter(({ killedBy }) => killedBy === null);
  return [
    '# Mutants',
    '',
    `${verdicts.length} tried (sample with seed ${seed}), ${killed.length} noticed by the tests: ${share}%.`,
    `${EQUIVALENTS.flatMap(({ changes }) => changes).length} that change nothing were left out, for the reasons in equivalents.ts.`,
    '',
    '| survived | change |',
    '|---|---|',
    ...survivors.map(({ file, line, change }) => `| ${file}:${line} | ${change.replaceAll('|', '\\|')} |`),
    '',
  ].join('\n');
}

const text = { type: 'string' } as const;
const { values } = parseArgs({ options: { seed: text, sample: text, only: text, file: text, out: text } });
const seed = Number(values.seed ?? 1);
const random = createRandom(seed);
const out = values.out ?? 'torture-report';
const server = await startTestServer();
const workshop = await openWorkshop(PROJECT, server.url);
try {
  const names = values.only?.split(',') ?? Object.keys(TARGETS);
  const all: { name: string; target: Target; mutant: Mutant }[] = [];
  for (const name of names) {
    const targets = TARGETS[name];
    if (!targets)
      throw new Error(`There is no target ${name}. There are ${Object.keys(TARGETS).join(', ')}.`);
    for (const target of targets)
      all.push(...(await mutantsOf(target)).map((mutant) => ({ name, target, mutant })));
  }
  process.stderr.write(`${all.length} mutants\n`);
  // Choose a random sample without repetition, or all mutants if no size is given.
  const order = all.map((each) => ({ ...each, rank: random.next() })).sort((a, b) => a.rank - b.rank);
  const chosen = order.slice(0, Number(values.sample ?? all.length));
  const verdicts: Verdict[] = [];
  await mkdir(out, { recursive: true });
  for (const { name, target, mutant } of chosen) {
    const killedBy = await judge(workshop, target, mutant);
    verdicts.push({ ...mutant, target: name, killedBy });
    process.stderr.write(
      `${verdicts.length} ${killedBy ?? 'SURVIVED'}: ${mutant.file}:${mutant.line} ${mutant.change}\n`,
    );
    await writeFile(join(out, 'mutants.json'), `${JSON.stringify({ seed, verdicts }, null, 2)}\n`);
    await writeFile(join(out, 'mutants.md'), reportOf(verdicts, seed));
  }
  const killed = verdicts.filter(({ killedBy }) => killedBy !== null).length;
  process.exitCode = killed >= verdicts.length * LEAST_KILLED ? 0 : 1;
} finally {
  await workshop.close();
  await server.stop();
}
