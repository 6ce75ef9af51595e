import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createAccount } from './accounts/create-account.ts';
import { requireAccountCalled } from './accounts/require-account.ts';
import { KEY_SCOPES } from './callers/principal.ts';
import type { Database } from './database/connect.ts';
import { DomainError } from './domain-error.ts';
import { createKey } from './keys/create-key.ts';
import { listKeys } from './keys/list-keys.ts';
import type { PlanBook } from './plans/plans.ts';
import type { ScoringBackend } from './scoring/scoring-backend.ts';
import { withOperatorSession } from './sign-in/operator-session.ts';
import { createSignInLink } from './sign-in/sign-in-link.ts';

export const DEMO_HANDLE = 'trust-directory-demo';

/** The demo account, and whether a key of it was ever made; null before the first start. */
async function findDemo(database: Database): Promise<{ id: string; hasKey: boolean } | null> {
  const demo = await requireAccountCalled(database, DEMO_HANDLE).catch((error) => {
    if (error instanceof DomainError && error.code === 'not_found') return null;
    throw error;
  });
  return demo && { id: demo.id, hasKey: (await listKeys(database, demo.id)).length > 0 };
}

/** Loads and scores the sample listings on a first start; a start that was cut short is gone on with by the next. */
export async function loadSample(database: Database, backend: ScoringBackend): Promise<void> {
  if ((await findDemo(database))?.hasKey) return;
  const [{ importFiles }, { sampleFiles }] = await Promise.all([
    import('./import/import-files.ts'),
    import('./import/sample-files.ts'),
  ]);
  await importFiles(database, backend, sampleFiles(), {
    rejectsPath: join(tmpdir(), `trust-directory-sample-rejects-${process.pid}.ndjson`),
  });
}

/**
 * Creates the demo account with its one key and answers the secret, the one time it exists; null on every later start.
 * Comes last of all that a first start does, since what is shown once must not be lost to a failure after it.
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

/** A sign-in link's token for the demo account; null where the operator has suspended it. */
export async function createDemoSignIn(database: Database): Promise<string | null> {
  const demo = await findDemo(database);
  if (!demo) return null;
  return createSignInLink(database, demo.id).catch((error) => {
    if (error instanceof DomainError) return null;
    throw error;
  });
}
