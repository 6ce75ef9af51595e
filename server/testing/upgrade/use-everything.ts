import { buildApp } from '../../src/app.ts';
import { adjust } from '../../src/billing/ledger/grant-and-adjust.ts';
import { reapDue } from '../../src/billing/ledger/reap.ts';
import { verifyLedger } from '../../src/billing/ledger/verify.ts';
import { loadConfig } from '../../src/platform/config/load-config.ts';
import { createServices } from '../../src/services.ts';
import { replaceClock } from '../clock.ts';
import type { TestDatabase } from '../clone-database.ts';
import { CONSOLE_PAGES } from '../console/console-paths.ts';
import { furnishConsole } from '../console/furnish-console.ts';
import { giveCredits, makeAccount, makeListing, type TestAccount } from '../factories.ts';
import { makeDirectoryWorld } from '../pages/directory-world.ts';
import { PUBLIC_PAGES } from '../pages/page-paths.ts';
import { createStandIn, refuse, type StandInBackend } from '../stand-ins/stand-in-backend.ts';

const READS = [
  '/readyz',
  '/api/agents',
  '/api/agents?q=tool&sort=name',
  '/api/subjects?subject=acme/changelog-agent',
];
const NO_LIMITS = {
  LOG_LEVEL: 'silent',
  RATE_LIMIT_WRITE_PER_MINUTE: '0',
  RATE_LIMIT_PUBLIC_PER_MINUTE: '0',
  RATE_LIMIT_READ_PER_MINUTE: '0',
  RATE_LIMIT_UNKEYED_PER_MINUTE: '0',
};

/** Programs that use a server, each on a separate database; together they make every kind of request. */
export const USES: readonly ((test: TestDatabase) => Promise<void>)[] = [useDirectory, useConsole];

/** Requests pages and the API, and makes metered calls with every outcome. */
async function useDirectory(test: TestDatabase): Promise<void> {
  const { database } = test;
  await replaceClock(database);
  await makeDirectoryWorld(database);
  const caller = await makeAccount(database, { plan: 'builder' });
  await giveCredits(database, caller.accountId, 1_000);
  const { repository } = await makeListing(database, { owner: 'metered', name: 'thing' });
  const backend = createStandIn();
  for (const name of ['embedded', 'remote'])
    await withApp(test, name === 'remote' ? backend : undefined, async (app) => {
      const call = callerOf(app, caller);
      for (const path of [...Object.values(PUBLIC_PAGES), ...READS]) await app.inject(path);
      await call('POST', '/api/svc/operations/run', meteredCall(repository, `${name}-1`));
      await call('POST', '/api/svc/operations/run', meteredCall(repository, `${name}-1`));
      await call('POST', '/api/svc/operations/run', { ...meteredCall(repository, 'dry'), dry_run: true });
      if (name === 'remote') backend.behave(refuse);
      const status = name === 'remote' ? 502 : 200;
      await call('POST', '/api/svc/operations/run', meteredCall(repository, `${name}-2`), status);
      await call('GET', '/api/receipts?limit=5');
      const registration = registrationOf(`${caller.handle}/${name}`, name);
      // The second call replays the first one, by its idempotency key.
      for (const _time of ['first', 'again']) await call('POST', '/api/agents/register', registration);
    });
  const [bucket] = await database.query<{ id: number }>(
    'SELECT min(id) AS id FROM credit_bucket WHERE account_id = $1',
    [caller.accountId],
  );
  await adjust(database, {
    accountId: caller.accountId,
    bucketId: bucket?.id ?? 0,
    credits: 5,
    note: 'more',
  });
  await reapDue(database);
  await verifyLedger(database);
}

/** Requests every page of the console. */
async function useConsole(test: TestDatabase): Promise<void> {
  await replaceClock(test.database);
  const people = await furnishConsole(test.database);
  await withApp(test, undefined, async (app) => {
    for (const page of CONSOLE_PAGES)
      await app.inject({ url: page.path(people), headers: { cookie: people[page.who] } });
  });
}

async function withApp(
  { url }: TestDatabase,
  backend: StandInBackend | undefined,
  use: (app: App) => Promise<void>,
): Promise<void> {
  const config = loadConfig({ DATABASE_URL: url, ...NO_LIMITS });
  const services = createServices(config, { databaseUrl: url, ...(backend && { backend }) });
  const app = await buildApp(services);
  await use(app);
  await app.close();
  await services.close();
}

type App = Awaited<ReturnType<typeof buildApp>>;

/**
 * Returns a function that sends a request with the account's key. It throws if the answer does not have the expected status,
 * because a refused request would send fewer statements than must be recorded.
 */
function callerOf(app: App, { key }: TestAccount) {
  const headers = { authorization: `Bearer ${key.secret}` };
  return async (method: 'GET' | 'POST', path: string, payload?: object, expected?: number) => {
    const { statusCode, body } = await app.inject({
      method,
      url: path,
      headers,
      ...(payload && { payload }),
    });
    const status = expected ?? (path.endsWith('/register') ? 201 : 200);
    if (statusCode !== status) throw new Error(`${method} ${path} was answered ${statusCode}: ${body}`);
  };
}

function meteredCall(subject: string, idempotencyKey: string) {
  return { operation: 'agent_score', subject, channel: 'api', idempotency_key: idempotencyKey };
}

function registrationOf(repository: string, name: string) {
  const texts = { name, description: 'Sorts mail.', category: 'automation', tags: ['mail'] };
  return { ...texts, repoHostUrl: `https://github.com/${repository}`, idempotency_key: `register-${name}` };
}
