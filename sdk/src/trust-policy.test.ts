import { describe, expect, it } from 'vitest';
import { directoryError, record, subject } from '../test/samples.ts';
import { type Reply, standIn } from '../test/stand-in.ts';
import { assertTrust, checkTrust, PolicyError } from './check-trust.ts';
import { TrustDirectory } from './client.ts';
import { ConfigurationError, ServiceUnavailableError } from './errors/public-errors.ts';
import { judgeSubject, matchesName, type TrustPolicy, type TrustReason } from './trust-policy.ts';

const NAME = 'example-labs/changelog-agent';

async function clientOf(reply: Reply): Promise<TrustDirectory> {
  const { url } = await standIn(reply);
  return new TrustDirectory({ baseUrl: url, maxRetries: 0 });
}

/** Returns the codes of the reasons against a record under a policy. */
async function against(members: object, policy: TrustPolicy): Promise<string[]> {
  const client = await clientOf({ body: { ...record, ...members } });
  const { ok, reasons } = await checkTrust(client, NAME, policy);
  expect(ok).toBe(reasons.length === 0);
  return reasons.map(({ code }) => code);
}

const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString();

describe('checkTrust', () => {
  it('passes a record that meets the policy, limits included', async () => {
    const scored = { trustScore: 60, confidence: 40, tier: 'medium', score_version: daysAgo(29.9) };
    const policy = {
      minTrust: 60,
      minConfidence: 40,
      minTier: 'medium',
      maxAgeDays: 30,
      type: 'agent',
    } as const;

    expect(await against(scored, policy)).toEqual([]);
    for (const least of [{ minTrust: 60 }, { minConfidence: 40 }, { minTier: 'low' }] as const)
      expect(await against(scored, least)).toEqual([]);
  });

  it.each([{}, { minTrust: undefined }, { type: 'agent' }, { maxAgeDays: 1e6 }] as const)(
    'never says yes under a policy that demands nothing of the score: %j',
    async (policy) => {
      const excellent = { trustScore: 100, confidence: 100, tier: 'high', score_version: daysAgo(0) };

      expect(await against(excellent, policy)).toEqual(['no_policy']);
      await expect(assertTrust(await clientOf({ body: record }), NAME, policy)).rejects.toMatchObject({
        reasons: [{ code: 'no_policy' }],
        record,
      });
    },
  );

  it('rejects removed subjects under every policy', async () => {
    const removed = await clientOf({ status: 410, body: directoryError(410, 'gone') });

    for (const policy of [{}, { minTrust: 1 }])
      expect(await checkTrust(removed, NAME, policy)).toEqual({
        ok: false,
        outcome: 'refused',
        reasons: [{ code: 'removed_subject', message: 'It failed: gone.' }],
        record: null,
      });
  });

  it.each([
    [{ trustScore: 59.9 }, { minTrust: 60 }, 'low_trust'],
    [{ confidence: 39.9 }, { minConfidence: 40 }, 'low_confidence'],
    [{ tier: 'low' }, { minTier: 'medium' }, 'low_tier'],
    [{ tier: 'medium' }, { minTier: 'high' }, 'low_tier'],
    [{ score_version: daysAgo(30.1) }, { maxAgeDays: 30 }, 'old_score'],
    [{ type: 'skill' }, { type: 'agent' }, 'wrong_type'],
  ] as const)('has %j against it under %j', async (members, policy, code) => {
    expect(await against(members, policy)).toEqual([code]);
  });

  it.each(['trustScore', 'confidence', 'score_version'])(
    'never passes a record without %s',
    async (member) => {
      expect(await against({ [member]: null }, {})).toEqual(['no_score']);
      expect(await against({ [member]: null }, { minTrust: 0, minConfidence: 0, maxAgeDays: 1e9 })).toEqual([
        'no_score',
      ]);
    },
  );

  it('never passes values that can’t be compared', async () => {
    expect(await against({ score_version: 'lately' }, { maxAgeDays: 30 })).toEqual(['old_score']);
    expect(await against({ tier: 'stellar' }, { minTier: 'high' })).toEqual(['low_tier']);
  });

  class Strict {
    get minTrust() {
      return 90;
    }
  }
  it.each([
    ['minTurst', { minTurst: 90 }],
    ['__proto__', JSON.parse('{ "__proto__": { "minTrust": 90 } }')],
    ['minTrust', { minTrust: '90' }],
    ['minTrust', { minTrust: Number.NaN }],
    ['minTrust', { minTrust: null }],
    ['minTrust', { minTrust: 900 }],
    ['minTrust', { minTrust: -1 }],
    ['minConfidence', { minConfidence: '40' }],
    ['minConfidence', { minConfidence: [40] }],
    ['maxAgeDays', { maxAgeDays: Number.NaN }],
    ['maxAgeDays', { maxAgeDays: -1 }],
    ['minTier', { minTier: 'hihg' }],
    ['type', { type: 'agnet' }],
    ['type', { type: null }],
    ['maxAge', { maxAge: '30' }],
    ['verified', { verified: 'yes' }],
    ['notAffected', { notAffected: 1 }],
    ['verdict', { verdict: 'trusted' }],
    ['verdict', { verdict: ['verified', 'any'] }],
    ['allow', { allow: 'npm:a' }],
    ['allow', { allow: { a: 1 } }],
    ['deny', { deny: [' '] }],
    ['policy', undefined],
    ['policy', null],
    ['policy', 'minTrust'],
    ['policy', [{ minTrust: 90 }]],
    ['policy', new Map([['minTrust', 90]])],
    ['policy', new Strict()],
  ])('rejects an invalid member of a policy by name, and sends nothing: %s %j', async (name, policy) => {
    const server = await standIn({ body: record });
    const client = new TrustDirectory({ baseUrl: server.url });

    for (const gate of [checkTrust, assertTrust]) {
      const error = await gate(client, NAME, policy as TrustPolicy).catch((reason) => reason);
      expect(error).toBeInstanceOf(ConfigurationError);
      expect(error.message).toContain(name);
    }
    expect(server.seen).toEqual([]);
  });

  it('gives every reason with a message', async () => {
    const client = await clientOf({ body: { ...record, trustScore: 12.5, confidence: 3, tier: 'low' } });

    const check = await checkTrust(client, NAME, { minTrust: 60, minConfidence: 40 });

    expect(check).toMatchObject({ ok: false, record: { canonical_id: subject.canonical_id } });
    expect(check.reasons).toEqual([
      { code: 'low_trust', message: 'Trust is 12.5; the minimum is 60.' },
      { code: 'low_confidence', message: 'Confidence is 3; the minimum is 40.' },
    ]);
  });

  it('doesn’t trust an unknown or ambiguous subject', async () => {
    const unknown = await clientOf({ status: 404, body: directoryError(404, 'not_found') });
    const ambiguous = await clientOf({ status: 409, body: directoryError(409, 'subject_ambiguous') });

    expect(await checkTrust(unknown, NAME, {})).toEqual({
      ok: false,
      outcome: 'undecided',
      reasons: [{ code: 'unknown_subject', message: 'It failed: not_found.' }],
      record: null,
    });
    expect((await checkTrust(ambiguous, NAME, {})).reasons).toMatchObject([{ code: 'ambiguous_subject' }]);
  });

  it('rejects if the directory can’t be reached', async () => {
    const broken = await clientOf({ status: 503 });
    const elsewhere = await clientOf({ status: 404, body: '<h1>Not found</h1>' });

    await expect(checkTrust(broken, NAME, {})).rejects.toBeInstanceOf(ServiceUnavailableError);
    await expect(checkTrust(elsewhere, NAME, {})).rejects.toMatchObject({ status: 404, code: null });
  });

  it('sends one request, with the type of the policy and without a key', async () => {
    const server = await standIn({ body: record });
    const client = new TrustDirectory({ baseUrl: server.url, apiKey: 'svc_live_x' });

    await checkTrust(client, NAME, { type: 'agent' });

    expect(server.seen).toMatchObject([
      {
        path: '/api/subjects?subject=example-labs%2Fchangelog-agent&type=agent',
        authorization: undefined,
      },
    ]);
  });
});

describe('assertTrust', () => {
  it('returns the check if the subject meets the policy', async () => {
    const check = await assertTrust(await clientOf({ body: record }), NAME, { minTrust: 60 });

    expect(check).toEqual({ ok: true, outcome: 'passed', reasons: [], record });
  });

  it('rejects with the reasons, also in the message', async () => {
    const client = await clientOf({ body: { ...record, trustScore: null } });

    const error = await assertTrust(client, NAME, {}).catch((thrown) => thrown);

    expect(error).toBeInstanceOf(PolicyError);
    expect(error).toMatchObject({
      name: 'PolicyError',
      message: `${NAME} doesn't meet the policy. There is no confirmed score.`,
      reasons: [{ code: 'no_score', message: 'There is no confirmed score.' }],
      record: { trustScore: null },
    });
  });
});

describe('judgeSubject', () => {
  const verdictOf = (state: 'verified' | 'warning' | 'well_evidenced') => ({
    state,
    sentence: 'Malware.',
    reasons: [],
  });
  const advisory = { id: 'CVE-2025-6514', category: 'vulnerability' } as never;
  const malware = { id: 'MAL-2025-47604', category: 'malware', summary: 'It steals keys.' } as never;
  const unlisted: TrustReason = { code: 'unknown_subject', message: 'No subject matches.' };
  const packages = {
    fine: { version: '1.0.0', standing: 'not_affected', advisories: [] },
    hit: { version: '1.0.0', standing: 'affected', advisories: [advisory] },
    bad: { version: '1.0.0', standing: 'affected', advisories: [malware] },
    unpinned: { version: null, standing: 'affected', advisories: [malware] },
    unread: { version: '1.0.0', standing: 'unknown', advisories: [] },
  } as const;
  const scored = { ...record, verified: false, verdict: verdictOf('well_evidenced') };

  function judge(
    of: keyof typeof packages | null,
    policy: TrustPolicy,
    listed: object | null = null,
    rest: object = {},
  ) {
    const subject = of === null ? NAME : 'npm:x@1.0.0';
    const facts = {
      subject,
      names: of === null ? [] : ['npm:x'],
      record: listed && { ...scored, ...listed },
      package: of === null ? null : { ...packages[of], advisories: [...packages[of].advisories] },
      absence: listed ? null : unlisted,
      ...rest,
    };
    const { outcome, reasons } = judgeSubject(facts, policy);
    return [outcome, ...reasons.map(({ code }) => code)].join(' ');
  }

  it('decides as documented', () => {
    const warning = { verdict: verdictOf('warning') };
    const table = [
      // Without a policy, only a Warning is refused.
      [judge('fine', {}), 'undecided unknown_subject'],
      [judge('hit', {}, {}), 'undecided no_policy'],
      [judge(null, {}, warning), 'refused warning no_policy'],
      [judge('bad', {}), 'refused warning unknown_subject'],
      [judge('unpinned', {}), 'undecided unknown_subject'],
      // The advisories of a package that is not listed decide, unless a score is demanded.
      [judge('fine', { notAffected: true }), 'passed'],
      [judge('hit', { notAffected: true }), 'refused affected'],
      [judge('unpinned', { notAffected: true }), 'undecided standing_unknown'],
      [judge('unread', { notAffected: true }), 'undecided standing_unknown'],
      [judge('fine', { notAffected: true, minTrust: 0 }), 'refused unknown_subject'],
      [judge('fine', { verdict: 'verified' }), 'refused unknown_subject'],
      [judge(null, { notAffected: true }), 'refused unknown_subject'],
      [judge(null, { notAffected: true }, {}), 'undecided standing_unknown'],
      [judge(null, { notAffected: true, minTrust: 50 }, {}), 'passed'],
      [judge('fine', { notAffected: true }, { trustScore: null }), 'passed'],
      // A score that is not the package's own says nothing about it.
      [judge('fine', { minTrust: 1 }, {}, { isUnconfirmed: true }), 'refused unknown_subject'],
      [judge('fine', { notAffected: true }, {}, { isUnconfirmed: true }), 'passed'],
      [judge('fine', { notAffected: true }, warning, { isUnconfirmed: true }), 'refused warning'],
      // Verdicts and proofs.
      [judge(null, { verified: true }, {}), 'refused not_verified'],
      [judge(null, { verified: true }, { verified: true }), 'passed'],
      [judge(null, { verified: false }, {}), 'undecided no_policy'],
      [judge(null, { verdict: ['verified', 'well_evidenced'] }, {}), 'passed'],
      [judge(null, { verdict: 'verified' }, {}), 'refused wrong_verdict'],
      [judge(null, { verdict: 'verified' }, { verdict: null }), 'refused wrong_verdict'],
      [judge(null, { minTrust: 0 }, warning), 'refused warning'],
      [judge(null, { verdict: 'warning' }, warning), 'passed'],
      [judge(null, { minTrust: 0, maxAge: 1e6 }, {}), 'passed'],
      [judge(null, { minTrust: 0, maxAge: 0, maxAgeDays: 1e6 }, {}), 'refused old_score'],
      // Lists of names.
      [judge('bad', { notAffected: true, allow: ['npm:x@1.0.0'] }), 'passed'],
      [judge('bad', { notAffected: true, allow: ['npm:x@2.*'] }), 'refused warning affected'],
      [judge('fine', { notAffected: true, deny: ['NPM:*'] }), 'refused denied'],
      [judge('fine', { allow: ['npm:x'], deny: ['npm:x'] }), 'refused denied'],
      [judge(null, { minTrust: 99, allow: ['example-labs/*'] }, {}), 'passed'],
      [
        judge('fine', { allow: ['*'] }, null, { absence: { code: 'removed_subject', message: 'x' } }),
        'refused removed_subject',
      ],
    ] as const;

    expect(table.map(([found]) => found)).toEqual(table.map(([, expected]) => expected));
  });
});

it('denies a package of PyPI in every spelling of its name', () => {
  const names = ['pypi:a_b', 'pypi:A.b==1.0', 'pypi:a--b==1.0', 'pypi:ab', 'npm:a_b'];

  expect(
    names.filter((subject) => matchesName(['pypi:a-b', 'pypi:a.b==*'], { subject, record: null })),
  ).toEqual(names.slice(0, 3));
});

it('finds the advisories of a package that is not listed', async () => {
  const server = await standIn(
    { status: 404, body: directoryError(404, 'not_found') },
    {
      body: {
        package: 'npm:x',
        version: '1.0.0',
        standing: 'not_affected',
        advisories: [],
        listing: null,
        as_of: null,
      },
    },
  );
  const client = new TrustDirectory({ baseUrl: server.url, maxRetries: 0 });

  expect(await checkTrust(client, 'npm:x@1.0.0', { notAffected: true })).toMatchObject({
    ok: true,
    record: null,
  });
  expect(server.seen.map(({ path }) => path)[1]).toBe('/api/packages?package=npm%3Ax%401.0.0');
});
