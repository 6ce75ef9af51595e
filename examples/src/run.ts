/**
 * Runs the example that the first argument names, against TRUST_DIRECTORY_URL, by default the server on this machine,
 * with TRUST_DIRECTORY_API_KEY. Exits with 1 if the example fails.
 */
import { TrustDirectory } from '@trust-directory/sdk';
import { budgetGuard } from './budget-guard.ts';
import type { Example } from './example.ts';
import { gateInstall } from './gate-install.ts';
import { lineagePicture } from './lineage-picture.ts';
import { lookupAgent } from './lookup-agent.ts';
import { readmeBadge } from './readme-badge.ts';
import { reconcileReceipts } from './reconcile-receipts.ts';
import { registerFromCi } from './register-from-ci.ts';
import { resumeRun } from './resume-run.ts';
import { runScore } from './run-score.ts';
import { scanLockfile } from './scan-lockfile.ts';
import { browserPage } from './serve-browser-page.ts';
import { walkLineage } from './walk-lineage.ts';

const EXAMPLES: Record<string, Example> = {
  'lookup-agent': lookupAgent,
  'walk-lineage': walkLineage,
  'run-score': runScore,
  'gate-install': gateInstall,
  'scan-lockfile': scanLockfile,
  'readme-badge': readmeBadge,
  'lineage-picture': lineagePicture,
  'budget-guard': budgetGuard,
  'resume-run': resumeRun,
  'reconcile-receipts': reconcileReceipts,
  'register-from-ci': registerFromCi,
  'browser-page': browserPage,
};

// npm starts this in the folder of the examples. INIT_CWD is the folder in which the command was entered: paths in
// arguments are relative to it.
process.chdir(process.env.INIT_CWD ?? '.');

const [name = '', ...args] = process.argv.slice(2);
const example = EXAMPLES[name];

try {
  if (!example) throw new Error(`Name an example: ${Object.keys(EXAMPLES).join(', ')}.`);
  const baseUrl = process.env.TRUST_DIRECTORY_URL || 'http://127.0.0.1:4000';
  await example(new TrustDirectory({ baseUrl }), console.log, ...args);
} catch (error) {
  console.error(error instanceof Error ? `${error.name}: ${error.message}` : error);
  process.exitCode = 1;
}
