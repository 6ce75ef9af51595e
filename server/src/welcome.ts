import { randomUUID } from 'node:crypto';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { requireAccountByName } from './access/callers/require-account.ts';
import { createKey } from './access/keys/create-key.ts';
import { listKeys } from './access/keys/list-keys.ts';
import type { PlanBook } from './access/plans/plans.ts';
import { createAccount } from './accounts/account-lifecycle.ts';
import {
  createSignInLink,
  SIGN_IN_LINK_MINUTES,
  signInUrl,
  withOperatorSession,
} from './accounts/sign-in/sign-in-link.ts';
import type { AgentRecord } from './directory/agents/agent-record.ts';
import { listAgents } from './directory/lists/list-agents.ts';
import { findFactTimes } from './intake/refresh/store-reading.ts';
import type { Database } from './platform/database/connect.ts';
import { DomainError } from './platform/errors/domain-error.ts';
import { KEY_SCOPES } from './platform/http/credentials/principal.ts';
import { OPERATOR_COMMAND } from './platform/package-files.ts';
import type { ScoringBackend } from './scoring/scoring-backend.ts';
import type { Services } from './services.ts';
import { formatDays } from './web/components/formatting.tsx';

export const DEMO_HANDLE = 'trust-directory-demo';

/** Finds the demo account and whether it ever had a key; null if there is no demo account yet. */
async function findDemo(database: Database): Promise<{ id: string; hasKey: boolean } | null> {
  const demo = await requireAccountByName(database, DEMO_HANDLE).catch((error) => {
    if (error instanceof DomainError && error.code === 'not_found') return null;
    throw error;
  });
  return demo && { id: demo.id, hasKey: (await listKeys(database, demo.id)).length > 0 };
}

/**
 * Imports and scores the sample listings, unless the demo account has ever had a key: then an earlier start has done
 * it. If an import was interrupted, the next start continues it.
 */
export async function loadSample(database: Database, backend: ScoringBackend): Promise<void> {
  if ((await findDemo(database))?.hasKey) return;
  const [{ importFiles }, { sampleFiles }] = await Promise.all([
    import('./intake/import/import-files.ts'),
    import('./intake/import/import-files.ts'),
  ]);
  await importFiles(database, backend, sampleFiles(), {
    rejectsPath: join(tmpdir(), `trust-directory-sample-rejects-${process.pid}.ndjson`),
  });
}

/**
 * Creates the demo account with its key and returns the secret; null on every later start. The server calls it after
 * all other steps of the start except the printing, so that a failure hardly ever loses the secret.
 */
export async function createDemoKey(database: Database, planBook: PlanBook): Promise<string | null> {
  const demo = await findDemo(database);
  if (demo?.hasKey) return null;
  const accountId =
    demo?.id ?? (await createAccount(database, planBook, { handle: DEMO_HANDLE, plan: 'free' })).id;
  const key = await withOperatorSession(database, accountId, (sessionId) =>
    createKey(database, planBook, { sessionId, name: 'demo', scopes: KEY_SCOPES, expiresAt: null }),
  );
  return key.secret;
}

/** Creates a sign-in link's token for the demo account; null if the account does not exist or is suspended. */
export async function createDemoSignIn(database: Database): Promise<string | null> {
  const demo = await findDemo(database);
  if (!demo) return null;
  return createSignInLink(database, demo.id).catch((error) => {
    if (error instanceof DomainError) return null;
    throw error;
  });
}

/** Returns the line that says how old the facts are and how the operator can refresh them. */
function refreshIsOff(times: readonly string[]): string {
  const days = formatDays(times);
  const age =
    days === null
      ? 'Facts about listings have no date'
      : `Facts about the best-known listings are of ${days}`;
  return `${age}, and are not refreshed: set REFRESH_PER_HOUR, or run ${OPERATOR_COMMAND} refresh`;
}

/** Reads the number of listings and the most trusted one, which the printed example call uses. */
async function readListings(
  database: Database,
): Promise<{ total: number; example: AgentRecord | undefined }> {
  const all = { q: null, type: null, verified: null, tier: null, category: null };
  const page = { sort: 'score_desc', limit: 1, offset: 0, cursor: null } as const;
  const { agents, total } = await listAgents(database, { ...all, ...page });
  return { total, example: agents[0] };
}

/** Shell command that indents JSON with the Node.js that runs the server. */
const INDENT = `node -p 'JSON.stringify(JSON.parse(fs.readFileSync(0)), null, 2)'`;

function curlLine(baseUrl: string, secret: string, example: AgentRecord): string {
  const body = JSON.stringify({
    operation: example.type === 'agent' ? 'agent_score' : 'skill_score',
    subject: new URL(example.repositoryUrl).pathname.slice(1),
    idempotency_key: randomUUID(),
  });
  return `curl -sS ${baseUrl}/api/svc/operations/run -H "Authorization: Bearer ${secret}" -H 'Content-Type: application/json' -d '${body}' | ${INDENT}`;
}

/**
 * Printed instructions for a lost key. The plan `free` of the demo account allows one active key, so the operator must
 * revoke the lost key before creating another.
 */
const LOST_KEY = [
  'The demo account’s access key was shown at the first start. If it is lost, revoke it and make another:',
  `  ${OPERATOR_COMMAND} keys list --account ${DEMO_HANDLE}`,
  `  ${OPERATOR_COMMAND} keys revoke --account ${DEMO_HANDLE} --key <id>`,
  `  ${OPERATOR_COMMAND} keys create --account ${DEMO_HANDLE}`,
];

function signInLines(publicUrl: string, token: string): string[] {
  return [
    `Sign in as the demo account, once, within ${SIGN_IN_LINK_MINUTES} minutes:`,
    signInUrl(publicUrl, token),
    `Another link: ${OPERATOR_COMMAND} sign-in-link --account ${DEMO_HANDLE}`,
  ];
}

/**
 * Prints the server's address and an example call on stdout. `secret` is the demo account's new key; null if this start
 * created no key.
 */
export async function printWelcome(services: Services, demo: boolean, secret: string | null): Promise<void> {
  const { config, database } = services;
  const { total, example } = await readListings(database);
  const lines = [`Trust Directory is ready at ${config.publicUrl}`, `${total} listings`];
  const times = await findFactTimes(database, config);
  if (times !== null && total > 0) lines.push(refreshIsOff(times));
  if (secret) lines.push(`Access key of the demo account (shown only now): ${secret}`);
  else if (demo) lines.push(...LOST_KEY);
  const signIn = demo ? await createDemoSignIn(database) : null;
  if (signIn) lines.push('', ...signInLines(config.publicUrl, signIn));
  if (example)
    lines.push(
      '',
      'A first metered call:',
      curlLine(config.publicUrl, secret ?? '$TRUST_DIRECTORY_API_KEY', example),
    );
  process.stdout.write(`\n${lines.join('\n')}\n\n`);
}
