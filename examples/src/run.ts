/** Runs one example against TRUST_DIRECTORY_URL with TRUST_DIRECTORY_API_KEY; exits with 1 if it fails. */
import { TrustDirectory } from '@trust-directory/sdk';
import type { Example } from './example.ts';
import { lookupAgent } from './lookup-agent.ts';
import { runScore } from './run-score.ts';
import { walkLineage } from './walk-lineage.ts';

const EXAMPLES: Record<string, Example> = {
  'lookup-agent': lookupAgent,
  'walk-lineage': walkLineage,
  'run-score': runScore,
};

const [name = '', ...args] = process.argv.slice(2);
const example = EXAMPLES[name];

try {
  if (!example) throw new Error(`Name an example: ${Object.keys(EXAMPLES).join(', ')}.`);
  await example(new TrustDirectory(), console.log, ...args);
} catch (error) {
  console.error(error instanceof Error ? `${error.name}: ${error.message}` : error);
  process.exitCode = 1;
}
