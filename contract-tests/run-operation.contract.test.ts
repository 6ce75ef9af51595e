import { expect, it } from 'vitest';
import { describeOperation } from './describe-operation.ts';

const PATH = '/api/svc/operations/run';
const ANY_BODY = { operation: 'agent_score', subject: 'a/b', idempotency_key: 'k' } as const;
/** Sends the body as plain text instead of JSON. */
const asText = { headers: { 'Content-Type': 'text/plain' }, bodySerializer: JSON.stringify };

describeOperation('runOperation', ({ target, given, answers }) => {
  answers(200, () => {
    it.each([
      'a listed agent',
      'a listed skill',
      'a creator with a listing',
      'a listed social account',
      'a listed messaging account',
      'an operation in a console session',
      'an operation in a console session for one of its keys',
    ] as const)('with a score of %s and its receipt', async (state) => {
      const { client, body } = await given(state);

      const { data, response } = await client.POST(PATH, { body });

      expect(data).toMatchObject({ ok: true, operation: body.operation, channel: 'api', settled: true });
      expect(data).toMatchObject({
        result: {
          scores: { trustScore: expect.any(Number), confidenceScore: expect.any(Number) },
          resolved_subject: data?.resolved_subject,
          mode: 'fast',
        },
      });
      if (target === 'server') expect(data?.charge_source).toBe('free');
      expect(response.headers.get('idempotent-replayed')).toBeNull();
    });

    it('with where it comes from, where that was asked for', async () => {
      const { client, body, parentId } = await given('a listed agent with a parent');

      const { data } = await client.POST(PATH, { body });

      if (!(data && 'result' in data && data.result && 'lineage' in data.result))
        throw new Error('no lineage');
      const { subject, creator, relationships } = data.result.lineage;
      expect(subject.id).toBe(data.result.resolved_subject.canonical_id);
      expect(creator).toMatchObject({ trust: null, score_status: 'unavailable', scored_at: null });
      expect(relationships[0]).toEqual({ type: 'created_by', from: subject.id, to: creator.canonical_id });
      expect(relationships).toContainEqual({ type: expect.any(String), from: subject.id, to: parentId });
    });

    it('with the subject as it was sent, the spaces around it included', async () => {
      const { client, body } = await given('a listed agent');
      const subject = ` ${body.subject} `;

      const { data } = await client.POST(PATH, { body: { ...body, subject } });

      expect(data).toMatchObject({ result: { query: { raw: subject } } });
    });

    it('with the receipt alone where the call had settled before', async () => {
      const { client, body } = await given('an operation that was settled before');

      const { data, response } = await client.POST(PATH, { body });

      expect(data).toMatchObject({ ok: true, result: null, idempotent: true, ledger_id: expect.any(String) });
      expect(response.headers.get('idempotent-replayed')).toBe('true');
    });

    it('with what the score is based on in a dry run, before it is paid for', async () => {
      const { client, body } = await given('a listed agent');
      await client.POST(PATH, { body });

      const { data } = await client.POST(PATH, { body: { ...body, dry_run: true } });

      expect(data).toMatchObject({
        settled: false,
        score_basis: {
          state: expect.any(String),
          signals_known: expect.any(Number),
          signals_total: expect.any(Number),
          confidence: expect.any(Number),
          text: expect.stringMatching(/^[a-z ]+: \S/),
        },
      });
    });

    it('with the price alone where that was asked for', async () => {
      const { client, body } = await given('a listed agent');

      const { data, response } = await client.POST(PATH, { body: { ...body, dry_run: true } });

      expect(data).toMatchObject({
        dry_run: true,
        result: null,
        settled: false,
        price_credits: expect.any(Number),
      });
      expect(data).not.toHaveProperty('ledger_id');
      expect(response.headers.get('idempotent-replayed')).toBeNull();
    });
  });

  answers(400, () => {
    it.each([
      ['without an idempotency key', { idempotency_key: undefined }, 'invalid_request'],
      ['without a subject', { subject: undefined }, 'invalid_request'],
      ['with a subject that is no text', { subject: 42 }, 'invalid_request'],
      ['with an unknown field', { subjects: [] }, 'invalid_request'],
      ['with an unknown channel', { channel: 'web' }, 'invalid_channel'],
      ['with an unknown operation', { operation: 'repo_score' }, 'invalid_operation'],
    ])('to a body %s', async (_name, changes, code) => {
      const { client, body } = await given('a listed agent');

      const { error } = await client.POST(PATH, { body: { ...body, ...changes } as never });

      expect(error).toMatchObject({ ok: false, error: expect.any(String), code });
    });
  });

  answers(401, () => {
    it.each([
      ['an operation without a credential', 'unauthorized', 'An access key is required'],
      ['an operation with an unknown key', 'unauthorized', 'malformed or unknown'],
      ['an operation with an expired key', 'key_expired', 'expired'],
      ['an operation with a revoked key', 'key_revoked', 'revoked'],
      ['an operation with a paused key', 'key_inactive', 'paused'],
      ['an operation in a session that has ended', 'unauthorized', 'session'],
    ] as const)('to %s', async (state, code, sentence) => {
      const { client, body } = await given(state);

      const { error } = await client.POST(PATH, { body });

      expect(error).toMatchObject({ ok: false, code, error: expect.stringContaining(sentence) });
    });
  });

  answers(402, () => {
    it('where no source can pay', async () => {
      const { client, body } = await given('an empty balance');

      const { error } = await client.POST(PATH, { body });

      expect(error).toMatchObject({ ok: false, code: 'insufficient_credits' });
    });

    it('where the owner of the key has limited it', async () => {
      const { client, body } = await given('a key that has reached its limit');

      const { error } = await client.POST(PATH, { body });

      expect(error).toMatchObject({
        ok: false,
        code: 'key_limit_exceeded',
        error: expect.stringContaining('monthly limit'),
      });
    });
  });

  answers(403, () => {
    it.each([
      ['an operation without the scope', 'insufficient_scope'],
      ['an operation that names another key', 'key_mismatch'],
      ['an operation in a session that names a foreign key', 'key_mismatch'],
      ['an operation in a session that names a paused key', 'key_inactive'],
      ['an operation in a session from another site', 'csrf_failed'],
    ] as const)('to %s', async (state, code) => {
      const { client, body } = await given(state);

      const { error } = await client.POST(PATH, { body });

      expect(error).toMatchObject({ ok: false, code });
    });
  });

  answers(404, () => {
    it('to a subject that nobody knows', async () => {
      const { client, body } = await given('a subject that nobody knows');

      const { error } = await client.POST(PATH, { body });

      expect(error).toMatchObject({ ok: false, code: 'subject_not_found' });
    });

    it('that says why, to a subject that was delisted', async () => {
      const { client, body } = await given('an operation on what was delisted');

      const { error } = await client.POST(PATH, { body });

      expect(error).toMatchObject({ ok: false, code: 'subject_delisted' });
      expect(error?.error).toContain('operator');
    });
  });

  answers(409, () => {
    it('with the candidates where a name leads to several subjects, and no time to wait', async () => {
      const { client, body } = await given('a name of several subjects');

      const { error, response } = await client.POST(PATH, { body });

      expect(error).toMatchObject({ ok: false, code: 'subject_ambiguous' });
      expect(error).toHaveProperty('candidates.length', 2);
      expect(response.headers.get('retry-after')).toBeNull();
    });

    it('with the receipt and the seconds to wait where the call is under way', async () => {
      const { client, body } = await given('an operation under way');

      const { error, response } = await client.POST(PATH, { body });

      expect(error).toMatchObject({ code: 'idempotency_in_progress', ledger_id: expect.any(String) });
      expect(response.headers.get('retry-after')).toBe('2');
    });
  });

  answers(413, () => {
    it('to a body over 16 KiB', async () => {
      const { client, body } = await given('a listed agent');

      const { error } = await client.POST(PATH, { body: { ...body, subject: 's'.repeat(17_000) } });

      expect(error).toMatchObject({ ok: false, code: 'payload_too_large', operation: null, channel: null });
    });
  });

  answers(415, () => {
    it('to a body that is not sent as JSON', async () => {
      const { client, body } = await given('a listed agent');

      const { error } = await client.POST(PATH, { body, ...asText });

      expect(error).toMatchObject({ ok: false, code: 'unsupported_media_type' });
    });
  });

  answers(422, () => {
    it('where the key was used for another request', async () => {
      const { client, body } = await given('a key that was used for another subject');

      const { error } = await client.POST(PATH, { body });

      expect(error).toMatchObject({ ok: false, code: 'idempotency_key_reused' });
    });
  });

  answers(429, () => {
    it.each([
      'an operation with a key out of requests',
      'an address with too many failed credentials',
      'an idempotency key that failed too often',
    ] as const)('to %s, with the seconds to wait', async (state) => {
      const { client, body } = await given(state);

      const { error, response } = await client.POST(PATH, { body });

      expect(error).toMatchObject({ ok: false, code: 'rate_limited' });
      expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(0);
    });
  });

  answers(500, () => {
    it('that tells nothing of the fault', async () => {
      const { client } = await given('an unforeseen fault');

      const { error } = await client.POST(PATH, { body: ANY_BODY });

      expect(error).toMatchObject({ ok: false, code: 'internal_error' });
    });
  });

  answers(501, () => {
    it.each(['a listed agent', 'an operation without a credential'] as const)(
      'on the reserved channel, to %s',
      async (state) => {
        const { client, body } = await given(state);

        const { error } = await client.POST(PATH, { body: { ...body, channel: 'mcp' } });

        expect(error).toMatchObject({ ok: false, error: 'mcp_not_available', code: 'mcp_not_available' });
      },
    );
  });

  answers(502, () => {
    it('with the receipt of the failed attempt', async () => {
      const { client, body } = await given('a backend without a usable score');

      const { error } = await client.POST(PATH, { body });

      expect(error).toMatchObject({ ok: false, code: 'scoring_failed', ledger_id: expect.any(String) });
    });
  });

  answers(503, () => {
    it('where the database is away', async () => {
      const { client } = await given('a database that is away');

      const { error } = await client.POST(PATH, { body: ANY_BODY });

      expect(error).toMatchObject({ ok: false, code: 'unavailable' });
    });
  });
});
