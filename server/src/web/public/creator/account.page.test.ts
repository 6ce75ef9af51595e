import { describe, expect, it } from 'vitest';
import { expectHarmless, HOSTILE } from '../../../../testing/pages/expect-harmless.ts';
import { scoreWith } from '../../../../testing/pages/pages-with.ts';
import { accountFacts } from '../../../../testing/scoring/account-vectors.ts';
import { observation } from '../../../../testing/scoring/golden-vectors.ts';
import { createPublicUrls } from '../../../catalog/subjects/public-path.ts';
import { type AccountPage, accountDocument } from './account.page.tsx';

const publicUrls = createPublicUrls('https://trust.example');

function accountWith(text: string, facts: Partial<AccountPage['facts']> = {}): AccountPage {
  return {
    subject: {
      id: 's1',
      type: 'social_account',
      name: text,
      repository: null,
      publicPath: '/u/x/acme',
      agentId: null,
      source: text,
      sourceId: 'r1',
    },
    facts: {
      kind: 'account',
      platform: text,
      handle: text,
      url: text,
      formerHandles: [text, text],
      ownerHandle: text,
      createdAt: '2020-01-02T00:00:00.000000Z',
      verifiedMark: true,
      audience: 86_261,
      audienceDayGrowth: 1.7,
      engagement: 0.015,
      lastPostAt: '2026-08-20T00:00:00.000000Z',
      crossLink: 'one',
      scamFlag: true,
      observedAt: '2026-08-22T00:00:00.000000Z',
      source: text,
      ...facts,
    },
    owner: { path: '/c/acme', text },
    score: null,
  };
}

describe('the page of an account', () => {
  it.each(HOSTILE)('never lets %j in any field become markup, a handler or a link that runs', (text) => {
    expectHarmless(accountDocument(accountWith(text), publicUrls));
    expectHarmless(accountDocument({ ...accountWith(text), owner: null }, publicUrls));
  });

  it.each([
    ['social.example', true],
    ['example', true],
    ['social.example.com', false],
    ['notanexample', false],
  ])('of %s says that it is an example: %s', (platform, expected) => {
    const document = accountDocument(accountWith('Acme', { platform }), publicUrls);

    expect(document.includes('This account is an example')).toBe(expected);
  });

  it('says that only the account itself is verified, if it is', () => {
    const page = accountWith('Acme');
    const facts = accountFacts('account', { proved: observation(true) });
    const text = (score: AccountPage['score']) => accountDocument({ ...page, score }, publicUrls);

    expect(text(null)).toContain('None of them is verified here.');
    expect(text({ ...scoreWith('x'), facts })).toContain('Only the account itself is verified here.');
    expect(text({ ...scoreWith('x'), facts })).not.toContain('None of them');
  });

  it('shows the facts from the platform, and that the platform marks the account as a scam', () => {
    const document = accountDocument(accountWith('Acme'), publicUrls);

    for (const text of ['86,261', '170%', '1.5%', '2 Jan 2020', '20 Aug 2026', 'in one direction', '>yes<'])
      expect(document).toContain(text);
    expect(document).toContain('the platform marks it as a scam');
    expect(document).toContain('<a href="/c/acme">');
    expect(document).toContain('href="/api/subjects/s1"');
    expect(document).toContain('<link rel="canonical" href="https://trust.example/u/x/acme"/>');
  });

  it.each([
    ['x', 'X'],
    ['linkedin', 'LinkedIn'],
    ['mastodon.example', 'mastodon.example'],
    ['constructor', 'constructor'],
  ])('names the platform %s as %s', (platform, title) => {
    expect(accountDocument(accountWith('Acme', { platform }), publicUrls)).toContain(
      `social account on ${title}<`,
    );
  });

  it('shows missing facts as not known, never as 0 or no', () => {
    const missing = {
      url: null,
      formerHandles: [],
      ownerHandle: null,
      createdAt: null,
      verifiedMark: null,
      audience: null,
      audienceDayGrowth: null,
      engagement: null,
      lastPostAt: null,
      crossLink: null,
      scamFlag: null,
      observedAt: null,
    };

    const document = accountDocument({ ...accountWith('Acme', missing), owner: null }, publicUrls);

    expect(document.match(/not known/g)).toHaveLength(9);
    expect(document).not.toMatch(/<dd[^>]*>(?:0|no|0%)</);
    expect(document).not.toContain('scam');
  });

  it('shows known values of 0 and no', () => {
    const document = accountDocument(
      accountWith('Acme', { audience: 0, engagement: 0, verifiedMark: false, crossLink: 'none' }),
      publicUrls,
    );

    for (const text of ['<dd>0</dd>', '<dd>0%</dd>', '<dd>no</dd>', '<dd>no link</dd>'])
      expect(document).toContain(text);
  });
});
