import { randomUUID } from 'node:crypto';
import { OPERATOR_COMMAND } from './config/own-files.ts';
import type { Database } from './database/connect.ts';
import { createDemoSignIn, DEMO_HANDLE } from './demo.ts';
import type { AgentRecord } from './directory/agent-record.ts';
import { listAgents } from './directory/lists/list-agents.ts';
import type { Services } from './services.ts';
import { SIGN_IN_LINK_MINUTES } from './sign-in/link-minutes.ts';
import { signInUrl } from './sign-in/sign-in-link.ts';

/** How many listings there are, and the most trusted one: something real to ask about in the ready-made call. */
async function readListings(
  database: Database,
): Promise<{ total: number; example: AgentRecord | undefined }> {
  const all = { q: null, type: null, verified: null, tier: null, category: null };
  const page = { sort: 'score_desc', limit: 1, offset: 0, cursor: null } as const;
  const { agents, total } = await listAgents(database, { ...all, ...page });
  return { total, example: agents[0] };
}

/** Prints the answer on several lines; the Node.js that runs the server is there to do it. */
const INDENT = `node -p 'JSON.stringify(JSON.parse(fs.readFileSync(0)), null, 2)'`;

function curlLine(baseUrl: string, secret: string, example: AgentRecord): string {
  const body = JSON.stringify({
    operation: example.type === 'agent' ? 'agent_score' : 'skill_score',
    subject: new URL(example.repositoryUrl).pathname.slice(1),
    idempotency_key: randomUUID(),
  });
  return `curl -sS ${baseUrl}/api/svc/operations/run -H "Authorization: Bearer ${secret}" -H 'Content-Type: application/json' -d '${body}' | ${INDENT}`;
}

/** The demo account has one key at a time, so a lost one is revoked before the next is made. */
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

/** Tells a person on stdout what runs where and how to make the first call. The key is shown this once. */
export async function printWelcome(services: Services, demo: boolean, secret: string | null): Promise<void> {
  const { config, database } = services;
  const { total, example } = await readListings(database);
  const lines = [`Trust Directory is ready at ${config.publicUrl}`, `${total} listings`];
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
