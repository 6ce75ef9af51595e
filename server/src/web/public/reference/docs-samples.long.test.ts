import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';
import { balanceOf, changesOf, consoleOf, scoresOf, TrustDirectory } from '@trust-directory/sdk';
import ts from 'typescript';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openTestSite, type TestSite } from '../../../../testing/browser/test-site.ts';
import { publishAll } from '../../../../testing/changes/follow-changes.ts';
import { makeAccount, makeKey, makeSession, type TestAccount } from '../../../../testing/factories.ts';
import { sampleUnlessNightly } from '../../../../testing/nightly.ts';
import { makeCreator, makeListing } from '../../../../testing/subjects/registry.factory.ts';
import { OPERATIONS } from '../../../access/plans/plans.ts';
import { createPublicUrls } from '../../../catalog/subjects/public-path.ts';
import { loadContract } from '../../../platform/http/contract/parse-contract.ts';
import { loadSample } from '../../../welcome.ts';
import { codeSamples, guideSamples } from './code-samples.ts';
import { loadNameReplacements, type NameReplacements, replaceNames } from './name-replacements.ts';
import { type Endpoint, readReference } from './reference.ts';

const runExamples = readReference(loadContract()).endpoints.find(
  ({ operationId }) => operationId === 'runOperation',
)?.body?.examples;

const endpoints = readReference(loadContract()).endpoints.filter(({ isWebhook }) => !isWebhook);

let site: TestSite;
let names: NameReplacements;

beforeAll(async () => {
  site = await openTestSite({ RATE_LIMIT_METERED_PER_MINUTE: '0' });
  await loadSample(site.database, site.services.backend);
  // Publish the changes, because this site has no background job that does so.
  await publishAll(site.database);
  names = await loadNameReplacements(site.database, createPublicUrls(site.url));
}, 180_000);
afterAll(() => site?.close());

/** Runs a pasted sample in a shell, with the variables that the page requires. */
async function paste(source: string, env: Record<string, string>): Promise<{ status: number; body: string }> {
  const shell = spawn('sh', ['-euc', `curl() { command curl -sS -w '\\n%{http_code}' "$@"; }\n${source}`], {
    env: { PATH: process.env.PATH, NO_PROXY: '*', ...env },
  });
  const [out, problems] = await Promise.all([text(shell.stdout), text(shell.stderr)]);
  expect(problems).toBe('');
  const end = out.lastIndexOf('\n');
  return { status: Number(out.slice(end + 1)), body: out.slice(0, end) };
}

/** Creates an account with a key, a session, and one of each object whose id a reader must insert into the samples. */
async function makeReader(): Promise<{ account: TestAccount; env: Record<string, string> }> {
  const { database, url } = site;
  const account = await makeAccount(database, { plan: 'builder' });
  const { token } = await makeSession(database, account.accountId);
  const headers = { authorization: `Bearer ${account.key.secret}`, 'content-type': 'application/json' };
  const [subject] = [...names.values()].filter((name) => name.includes('/'));
  const body = JSON.stringify({ operation: 'agent_score', subject, idempotency_key: account.accountId });
  const run = await fetch(`${url}/api/svc/operations/run`, { method: 'POST', headers, body });
  const { ledger_id } = (await run.json()) as { ledger_id: string };
  const { accountId, handle } = account;
  const creator = await makeCreator(database, { host: 'directory', handle, accountId, verified: true });
  const own = await makeListing(database, { type: 'agent', creator, verified: true });
  const child = await makeListing(database, { parentId: own.id });
  const linked = crypto.randomUUID();
  await database.query(
    `INSERT INTO linked_account (id, account_id, kind, host, handle, proved_at, proved_by, host_account_id,
       host_account_created_at, checked_at, check_due_at)
     VALUES ($1, $2, 'node_packages', 'npmjs.com', $3, ledger_now(), 'code', $3, '2019-03-04', ledger_now(), ledger_now() + interval '30 days')`,
    [linked, account.accountId, account.handle],
  );
  const key = await makeKey(database, account.accountId);
  const env = {
    TRUST_DIRECTORY_API_KEY: account.key.secret,
    SESSION: token,
    LEDGER_ID: ledger_id,
    AGENT_ID: own.agentId,
    CHILD_ID: child.agentId,
    LINKED_ACCOUNT_ID: linked,
    KEY_ID: key.id,
  };
  return { account, env };
}

/** Replaces the time in the sample by now, because the change feed of a new database does not go back so far. */
const sinceNow = (operationId: string, source: string) =>
  operationId === 'listChanges'
    ? source.replace(/\d{4}-\d\d-\d\dT[\d:.%A]+Z/gi, new Date().toISOString())
    : source;

const sampleOf = (endpoint: Endpoint, id: string) =>
  codeSamples(endpoint, site.url, names).find((sample) => sample.id === id)?.source ?? '';

// The handle of the sample cannot be chosen once a repository of that owner is registered, so `setHandle` is first.
const inOrder = [...endpoints].sort(
  (one, other) => Number(other.operationId === 'setHandle') - Number(one.operationId === 'setHandle'),
);

/** Chooses every fourth endpoint, beginning at `from`, for runs other than nightly ones. */
const isEveryFourth = (endpoint: Endpoint, from: number) => endpoints.indexOf(endpoint) % 4 === from;
const sampleOfCalls = (of: readonly Endpoint[], isChosen: (endpoint: Endpoint) => boolean) =>
  sampleUnlessNightly(of, isChosen).map((endpoint) => [endpoint.operationId, endpoint] as const);

describe('every curl call that the documentation shows', () => {
  it.each(sampleOfCalls(inOrder, (endpoint) => isEveryFourth(endpoint, 0)))(
    '%s works unchanged, on the sample listings',
    async (operationId, endpoint) => {
      const { env } = await makeReader();
      // Pause the key first, because only a paused key can be resumed.
      if (operationId === 'resumeKey')
        await site.database.query('UPDATE access_key SET paused_at = ledger_now() WHERE id = $1', [
          env.KEY_ID,
        ]);

      const { status, body } = await paste(sinceNow(operationId, sampleOf(endpoint, 'curl')), env);

      // The test publishes no code, so the verification must answer 409.
      const fine =
        operationId === 'verifyLinkedAccount'
          ? ['409']
          : endpoint.responses.map((answer) => answer.status).filter((each) => each.startsWith('2'));
      expect([String(status), body.slice(0, 300)]).toEqual([
        expect.toSatisfy((each: string) => fine.includes(each)),
        expect.any(String),
      ]);
    },
  );

  it.each(OPERATIONS)('%s, from the page of the metered call, returns a score', async (operation) => {
    const { env } = await makeReader();
    const shown = replaceNames(runExamples?.find(({ name }) => name === operation)?.value, names) as Record<
      string,
      unknown
    >;

    const answer = await fetch(`${site.url}/api/svc/operations/run`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${env.TRUST_DIRECTORY_API_KEY}`,
        'content-type': 'application/json',
      },
      body: JSON.stringify(shown),
    });

    expect([answer.status, await answer.json()]).toMatchObject([200, { operation, settled: true }]);
  });

  it('in the guide works unchanged', async () => {
    const { env } = await makeReader();
    const samples = guideSamples(site.url, names);

    const lookup = await paste(samples.lookup, {});
    const first = await paste(samples.firstCall, env);
    const again = await paste(samples.firstCall, env);

    expect(lookup.status).toBe(200);
    expect([first.status, JSON.parse(first.body).settled]).toEqual([200, true]);
    // The sample makes a new key each time, so the second call is neither a replay nor a 422 for another request.
    const other = await paste(guideSamples(site.url, new Map()).firstCall, env);
    expect([again.status, JSON.parse(again.body).idempotent]).toEqual([200, undefined]);
    expect(JSON.parse(other.body)).toMatchObject({ settled: true });
    const sent = [first, again, other].map(({ body }) => JSON.parse(body).ledger_id);
    expect(new Set(sent).size).toBe(3);
  });
});

describe('every TypeScript call that the documentation shows', () => {
  const forPrograms = endpoints.filter(
    ({ schemes }) => schemes.length === 0 || schemes.includes('accessKey'),
  );

  it.each(sampleOfCalls(forPrograms, (endpoint) => isEveryFourth(endpoint, 2)))(
    '%s works after the reader’s own id is filled in, if there is one',
    async (operationId, endpoint) => {
      const { env } = await makeReader();
      process.env.TRUST_DIRECTORY_API_KEY = env.TRUST_DIRECTORY_API_KEY;
      const filled = sinceNow(operationId, sampleOf(endpoint, 'typescript'))
        .replace(/(?<=const ledgerId = ')[^']*/, env.LEDGER_ID ?? '')
        // Register another repository, because the curl sample has already listed the one of the example.
        .replace('example-labs/changelog-agent', 'example-labs/another-agent');

      await expect(runProgram(filled)).resolves.toBeUndefined();
      delete process.env.TRUST_DIRECTORY_API_KEY;
    },
  );
});

async function runProgram(source: string): Promise<void> {
  const code = source.replace(/^import .*$/m, '');
  const { outputText } = ts.transpileModule(`export const run = async () => {${code}}`, {
    compilerOptions: { target: ts.ScriptTarget.ES2022 },
  });
  const silent = { log: () => undefined };
  const make = new Function(
    'TrustDirectory',
    'balanceOf',
    'changesOf',
    'consoleOf',
    'scoresOf',
    'console',
    outputText.replace('export const run =', 'return'),
  );
  await make(TrustDirectory, balanceOf, changesOf, consoleOf, scoresOf, silent)();
}
