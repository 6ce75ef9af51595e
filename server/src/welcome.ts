import { randomUUID } from 'node:crypto';
import type { Database } from './database/connect.ts';
import { createDemoSignIn, DEMO_HANDLE } from './demo.ts';
import type { Services } from './services.ts';
import { SIGN_IN_LINK_MINUTES, signInUrl } from './sign-in/sign-in-link.ts';

interface Example {
  repository: string;
  type: 'agent' | 'skill';
}

async function countListings(database: Database): Promise<number> {
  const [row] = await database.query<{ total: number }>(
    'SELECT coalesce(sum(difference), 0)::bigint AS total FROM listing_total',
  );
  return row?.total ?? 0;
}

/** The most trusted listing: something real to ask about in the ready-made call. */
async function exampleOf(database: Database): Promise<Example | undefined> {
  const [row] = await database.query<Example>(
    'SELECT repository, type FROM listing ORDER BY trust DESC NULLS LAST, confidence DESC NULLS LAST, agent_id LIMIT 1',
  );
  return row;
}

function curlLine(baseUrl: string, secret: string, example: Example): string {
  const body = JSON.stringify({
    operation: example.type === 'agent' ? 'agent_score' : 'skill_score',
    subject: example.repository,
    idempotency_key: randomUUID(),
  });
  return `curl -s ${baseUrl}/api/svc/operations/run -H "Authorization: Bearer ${secret}" -H 'Content-Type: application/json' -d '${body}'`;
}

/** The demo account has one key at a time, so a lost one is revoked before the next is made. */
const LOST_KEY = [
  'The demo account’s access key was shown at the first start. If it is lost, revoke it and make another:',
  `  npm run cli -- keys list --account ${DEMO_HANDLE}`,
  `  npm run cli -- keys revoke --account ${DEMO_HANDLE} --key <id>`,
  `  npm run cli -- keys create --account ${DEMO_HANDLE}`,
];

function signInLines(publicUrl: string, token: string): string[] {
  return [
    `Sign in as the demo account, once, within ${SIGN_IN_LINK_MINUTES} minutes:`,
    signInUrl(publicUrl, token),
    `Another link: npm run cli -- sign-in-link --account ${DEMO_HANDLE}`,
  ];
}

/** Tells a person on stdout what runs where and how to make the first call. The key is shown this once. */
export async function printWelcome(services: Services, demo: boolean, secret: string | null): Promise<void> {
  const { config, database } = services;
  const [listings, example] = [await countListings(database), await exampleOf(database)];
  const lines = [`Trust Directory is ready at ${config.publicUrl}`, `${listings} listings`];
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
