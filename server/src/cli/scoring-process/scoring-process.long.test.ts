import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../../testing/database.ts';
import { makeAccount, makeListing } from '../../../testing/factories.ts';
import { sampleUnlessNightly } from '../../../testing/nightly.ts';
import { type NodeProcess, startNode } from '../../../testing/node-process.ts';
import { ACCOUNT_VECTORS } from '../../../testing/scoring/account-vectors.ts';
import { CREATOR_VECTORS } from '../../../testing/scoring/creator-vectors.ts';
import { GOLDEN_VECTORS, scoreRequest } from '../../../testing/scoring/golden-vectors.ts';
import { type ServerProcess, startServer } from '../../../testing/server-process.ts';
import { type ClosableBackend, createHttpBackend } from '../../scoring/backends/create-backend.ts';
import { scoreByMethod } from '../../scoring/embedded/embedded-backend.ts';
import { hashInputs, type ScoreInputs } from '../../scoring/score-inputs.ts';
import type { ScoreRequest } from '../../scoring/scoring-backend.ts';

const TOKEN = 'agreed-between-the-two';
/** The built command, as shipped. */
const CLI = new URL('../../../dist/command-line/cli.js', import.meta.url);

let scoring: NodeProcess;
let url: string;

function startScoring(env: Record<string, string>): NodeProcess {
  const { PATH, HOME } = process.env;
  return startNode({ file: CLI, args: ['scoring'], env: { PATH, HOME, ...env } });
}

beforeAll(async () => {
  scoring = startScoring({ SCORING_TOKEN: TOKEN, SCORING_PORT: '0' });
  [, url = ''] = await scoring.waitFor(/requests at (http:\/\/127\.0\.0\.1:\d+\/score)/);
});
afterAll(() => scoring.signal('SIGKILL'));

describe('the scoring process', () => {
  const backends: ClosableBackend[] = [];
  afterEach(async () => {
    for (const backend of backends.splice(0)) await backend.close();
  });

  function open(token: string): ClosableBackend {
    const backend = createHttpBackend(url, token);
    backends.push(backend);
    return backend;
  }

  const requests: ScoreRequest[] = [
    ...GOLDEN_VECTORS.flatMap(({ facts }) => [scoreRequest(facts), scoreRequest(facts, 'agent')]),
    ...CREATOR_VECTORS.map(({ facts }) => scoreRequest(facts, 'creator')),
    ...ACCOUNT_VECTORS.map(({ facts, type }) => scoreRequest(facts, type)),
  ];

  it('scores every published vector over HTTP exactly as the method does in this process', async () => {
    const backend = open(TOKEN);

    const answers = await Promise.all(
      requests.map((request) => backend.score(request, AbortSignal.timeout(5_000))),
    );

    expect(answers).toEqual(requests.map((request) => scoreByMethod(request)));
    expect(answers.length).toBeGreaterThan(20);
  });

  it('refuses requests without the token', async () => {
    const [request] = requests;

    await expect(open('guess').score(request as ScoreRequest, AbortSignal.timeout(5_000))).rejects.toThrow(
      '401',
    );
  });

  const INVALID: [env: Record<string, string>, sentence: RegExp][] = [
    [{}, /SCORING_TOKEN is missing/],
    [
      { SCORING_TOKEN: TOKEN, SCORING_HOST: '203.0.113.1' },
      /SCORING_HOST 203\.0\.113\.1, SCORING_PORT \d+ cannot/,
    ],
  ];

  it.each(sampleUnlessNightly(INVALID, ([env]) => !('SCORING_HOST' in env)))(
    'does not start with %j and says why',
    async (env, sentence) => {
      const failing = startScoring(env);

      expect((await failing.ended).code).toBe(1);
      expect(failing.output()).toMatch(sentence);
      expect(failing.output()).not.toMatch(/\n {4}at |agreed-between/);
    },
  );
});

interface Stored {
  trust: number;
  confidence: number;
  tier: string;
  source: string;
  inputs: ScoreInputs;
  inputsHash: string;
}

describe('a server whose SCORING_URL is the scoring process', () => {
  let test: TestDatabase;
  let server: ServerProcess;

  beforeAll(async () => {
    test = await createTestDatabase();
    server = await startServer(
      { DATABASE_URL: test.url, SCORING_URL: url, SCORING_TOKEN: TOKEN, TIMINGS_SCALE: '0.5' },
      { entry: 'real' },
    );
  });
  afterAll(async () => {
    await server?.end('SIGKILL');
    await test?.close();
  });

  it('settles a metered call with the same score as the embedded method for the stored inputs', async () => {
    const { key } = await makeAccount(test.database);
    const { subjectId, repository } = await makeListing(test.database);

    const response = await fetch(`${server.baseUrl}/api/svc/operations/run`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${key.secret}`, 'Content-Type': 'application/json' },
      body: JSON.stringify({ operation: 'agent_score', subject: repository, idempotency_key: 'one' }),
    });

    const { result, ledger_id } = (await response.json()) as {
      result: { scores: object; score_evidence: object };
      ledger_id: string;
    };
    const [stored] = await test.database.query<Stored>(
      `SELECT trust, confidence, tier, source, inputs, inputs_hash AS "inputsHash" FROM score WHERE subject_id = $1`,
      [subjectId],
    );
    const { subjectType, now, facts } = stored?.inputs ?? ({} as ScoreInputs);
    const again = scoreByMethod({
      ...scoreRequest(facts as never, subjectType as 'agent'),
      now: new Date(now),
    });
    expect(response.status).toBe(200);
    expect(result.scores).toEqual({ trustScore: again.trust, confidenceScore: again.confidence });
    expect(result.score_evidence).toMatchObject({ source: new URL(url).host });
    expect(stored).toMatchObject({ trust: again.trust, confidence: again.confidence, tier: again.tier });
    expect(stored?.inputsHash).toBe(hashInputs(stored?.inputs as ScoreInputs));
    expect(scoring.output()).toContain(ledger_id);
    expect(scoring.output()).not.toContain(TOKEN);
  });

  it('fails a call without a charge while the process is down, and the process stops at once on a signal', async () => {
    scoring.signal('SIGTERM');
    expect(await scoring.ended).toEqual({ code: 0, signal: null });
    const { key } = await makeAccount(test.database);
    const { repository } = await makeListing(test.database);

    const response = await fetch(`${server.baseUrl}/api/svc/operations/run`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${key.secret}`, 'Content-Type': 'application/json' },
      body: JSON.stringify({ operation: 'agent_score', subject: repository, idempotency_key: 'two' }),
    });

    expect(response.status).toBe(502);
    expect(
      await test.database.query('SELECT sum(used)::int AS used, sum(held)::int AS held FROM credit_bucket'),
    ).toEqual([{ used: 1, held: 0 }]);
    expect(await server.end('SIGTERM')).toEqual({ code: 0, signal: null });
  });
});
