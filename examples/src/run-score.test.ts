import { TrustDirectory } from '@trust-directory/sdk';
import { describe, expect, it } from 'vitest';
import { dryRun, freshRun, KEY, operationError, page, replay } from '../../sdk/test/samples.ts';
import { CLOSED_ADDRESS, type Reply, standIn } from '../../sdk/test/stand-in.ts';
import { runScore } from './run-score.ts';

async function runAgainst(baseUrl: string, ...args: string[]) {
  const lines: string[] = [];
  const client = new TrustDirectory({ baseUrl, apiKey: KEY, maxRetries: 0 });
  const error = await runScore(client, (line) => lines.push(line), ...args).then(
    () => null,
    (reason) => reason,
  );
  return { error, output: lines.join('\n') };
}

describe('run-score', () => {
  it('asks for the price, then runs twice under one key that it told before', async () => {
    const server = await standIn({ body: dryRun }, { body: freshRun }, { body: replay });

    const { error, output } = await runAgainst(server.url, 'example-labs/changelog-agent');

    expect(error).toBeNull();
    const [quoted, first, second] = server.seen.map(({ body }) => body);
    expect(quoted).toMatchObject({ dry_run: true });
    expect(first).toEqual(second);
    expect(output).toContain('agent_score of Changelog Agent costs one free call.');
    expect(output).toContain(`Running with the idempotency key ${first?.idempotency_key}.`);
    expect(output).toContain('trust 60.8, confidence 48.2 (complete)');
    expect(output).toContain(`receipt ${freshRun.ledger_id}, paid from free, 24 free calls left`);
    expect(output).toContain(`settled before under receipt ${replay.ledger_id}; nothing was charged`);
  });

  it('takes the most trusted entry where no subject is named', async () => {
    const server = await standIn({ body: page }, { body: dryRun }, { body: freshRun });

    await runAgainst(server.url);

    expect(server.seen[1]?.body).toMatchObject({ operation: 'agent_score', subject: 'AGT-7K2MQ9XD' });
  });

  it.each([
    [400, 'invalid_request', 'Correct the request'],
    [401, 'key_revoked', 'Set TRUST_DIRECTORY_API_KEY'],
    [402, 'insufficient_credits', 'buy credits'],
    [403, 'insufficient_scope', 'Use a key with the scope'],
    [404, 'subject_not_found', 'Check the spelling'],
    [409, 'idempotency_in_progress', 'It is still running. Send it again with the idempotency key '],
    [413, 'payload_too_large', 'Correct the request'],
    [415, 'unsupported_media_type', 'Correct the request'],
    [422, 'idempotency_key_reused', 'use a new one'],
    [429, 'rate_limited', 'Wait a moment, then go on with the idempotency key '],
    [500, 'internal_error', 'run again with the idempotency key '],
    [501, 'mcp_not_available', 'use the default one'],
    [502, 'scoring_failed', 'run again with the idempotency key '],
    [503, 'unavailable', 'run again with the idempotency key '],
  ] as const)('says what to do after %i %s, and fails', async (status, code, advice) => {
    const server = await standIn({ body: dryRun }, { status, body: operationError(code) });

    const { error, output } = await runAgainst(server.url, 'a/b');

    expect(error).toMatchObject({ status, code });
    expect(output).toContain(advice);
    if (advice.endsWith('key ')) expect(output).toContain(`${advice}${server.seen[1]?.body.idempotency_key}`);
  });

  it('lists what an ambiguous subject could mean', async () => {
    const candidates = [
      { canonical_id: '8f14e45f', type: 'skill', name: 'x', repository: 'a/x', public_path: '/s/a/x' },
      { canonical_id: '45c48cce', type: 'skill', name: 'x', repository: 'b/x', public_path: '/s/b/x' },
    ];
    const server = await standIn({ status: 409, body: operationError('subject_ambiguous', { candidates }) });

    const { output } = await runAgainst(server.url, 'x', 'skill_score');

    expect(output).toContain('Send one of these instead: 8f14e45f (a/x), 45c48cce (b/x).');
  });

  it('says how long to wait, and that a failed run was not charged, where it was told', async () => {
    const slow: Reply = {
      status: 429,
      body: operationError('rate_limited'),
      headers: { 'retry-after': '7' },
    };
    const failed: Reply = { status: 502, body: operationError('scoring_failed', { ledger_id: '01a1f83c' }) };

    expect((await runAgainst((await standIn(slow)).url, 'a/b')).output).toContain('Wait 7 seconds');
    expect((await runAgainst((await standIn(failed)).url, 'a/b')).output).toContain('You were not charged.');
  });

  it('says what to do where no answer came, or another one than it should', async () => {
    const portal = await standIn({ body: '<h1>Welcome</h1>' });

    expect((await runAgainst(CLOSED_ADDRESS, 'a/b')).output).toContain('Check the network');
    expect((await runAgainst(portal.url, 'a/b')).output).toContain('Check TRUST_DIRECTORY_URL');
    expect((await runAgainst('http://trust.example', 'a/b')).output).toContain(
      'Correct the client’s options',
    );
  });
});
