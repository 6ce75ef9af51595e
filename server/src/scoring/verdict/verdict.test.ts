import { describe, expect, it } from 'vitest';
import {
  daysAgo,
  GOLDEN_VECTORS,
  NOW,
  observation,
  repositoryFacts,
  scoreRequest,
} from '../../../testing/scoring/golden-vectors.ts';
import { scoreByMethod } from '../embedded/embedded-backend.ts';
import type { AccountFacts, CreatorFacts, RepositoryFacts } from '../fact-types.ts';
import { REASONS } from './reasons.ts';
import { presentVerdict } from './verdict.presenter.ts';
import { isDefaultScore, readVerdict, verdictOf } from './verdict.ts';

function judge(facts: RepositoryFacts) {
  return verdictOf({ ...scoreByMethod(scoreRequest(facts)), facts, factsAt: NOW.toISOString() });
}

const vector = (letter: string) =>
  judge(GOLDEN_VECTORS.find(({ name }) => name.startsWith(letter))?.facts ?? repositoryFacts());

const EVERY_TEXT = { description: true, tags: true, category: true, homepage: true, skillManifest: null };
const NO_ACCOUNTS = {
  repoHost: false,
  nodePackages: false,
  pythonPackages: false,
  professionalNetwork: false,
};

/** Facts of a popular and unclaimed repository. */
const popular = repositoryFacts({
  verified: observation(false),
  stars: observation(100_000),
  forks: observation(14_000),
  openIssues: observation(500),
  lastCommitAt: observation(daysAgo(3)),
  repositoryCreatedAt: daysAgo(900),
});

describe('a verdict', () => {
  it('is verified only where the owner is and enough is known besides', () => {
    expect(vector('A')).toMatchObject({
      state: 'verified',
      sentence: 'Very widely used and active (last commit 18 Nov 2026); owner verified.',
    });
    expect(judge(repositoryFacts({ verified: observation(true) })).state).toBe('little_evidence');
  });

  it('is well evidenced where much was seen and the owner is not known', () => {
    expect(judge(popular)).toMatchObject({
      state: 'well_evidenced',
      sentence:
        'Very widely used and active (last commit 18 Nov 2026); owner not verified; licence not known.',
    });
  });

  it('is little evidence, never a warning, where little is known', () => {
    expect(vector('H')).toMatchObject({ state: 'little_evidence' });
    expect(judge(repositoryFacts({ verified: observation(false) }))).toMatchObject({
      state: 'little_evidence',
      sentence: 'No usage or activity data yet; owner not verified; licence not known.',
    });
  });

  it.each([
    ['archived', { archived: true }, 'Archived by its owner; '],
    ['deprecated', { deprecated: true }, 'Marked deprecated; '],
    ['no_license', { license: observation('none') }, 'No licence, so nobody may use it; '],
  ] as const)('warns of what was observed: %s', (code, observed, start) => {
    const verdict = judge({ ...popular, verified: observation(true), ...observed });

    expect(verdict.state).toBe('warning');
    expect(verdict.reasons[0]).toBe(code);
    expect(verdict.sentence.startsWith(start)).toBe(true);
  });

  it('warns of an archived repository also where its limit lowers nothing', () => {
    const unknown = repositoryFacts({ archived: true });

    expect(scoreByMethod(scoreRequest(unknown)).caps).toEqual([]);
    expect(judge(unknown).state).toBe('warning');
  });

  it('does not warn of youth that limits nothing', () => {
    expect(vector('D').reasons).not.toContain('young_repository');
  });

  it('says that trust was limited where a backend names a limit of its own', () => {
    const caps = [{ cap: 'something_new', limit: 10, raw: 50, final: 10 }];

    expect(verdictOf({ confidence: 90, contributions: [], caps, facts: null, factsAt: null })).toEqual({
      state: 'warning',
      sentence: 'Trust limited by the scoring method.',
      reasons: ['limited'],
    });
  });

  it('says so where a backend gives no reasons for its score', () => {
    const verdict = verdictOf({ confidence: 50, contributions: [], caps: [], facts: null, factsAt: null });

    expect(verdict).toEqual({
      state: 'well_evidenced',
      sentence: 'No reasons were given with this score.',
      reasons: [],
    });
  });

  it('rests on defaults where nothing was seen but the entry itself, and on more as soon as anything was', () => {
    const restsOn = (facts: RepositoryFacts) => {
      const score = scoreByMethod(scoreRequest(facts));
      return isDefaultScore(
        score.confidence,
        verdictOf({ ...score, facts, factsAt: NOW.toISOString() }).reasons,
      );
    };
    const bare = { verified: observation(false), metadata: observation({ ...EVERY_TEXT, homepage: false }) };

    expect(restsOn(repositoryFacts(bare))).toBe(true);
    for (const more of [
      { stars: observation(0) },
      { lastCommitAt: observation(daysAgo(4_000)) },
      { license: observation('Custom') },
      { verified: observation(true) },
      { archived: true },
    ])
      expect([more, restsOn(repositoryFacts({ ...bare, ...more }))]).toEqual([more, false]);
  });

  it('shows the figures of another method, which gives no reasons', () => {
    expect(isDefaultScore(3, [])).toBe(false);
  });

  it('reads as one sentence, whatever it rests on', () => {
    for (const { facts } of GOLDEN_VECTORS) {
      expect(judge(facts).sentence).toMatch(/^[A-Z][^.]*\.$/);
    }
    for (const { phrase } of Object.values(REASONS)) expect(phrase).toMatch(/^[a-z][^.;]*$/);
  });
});

describe('the words of activity', () => {
  // A repository with a licence and few issues that is old counts as finished: its freshness never falls below 0.7.
  const finished = (lastCommit: number, readAt = 0) =>
    judge({
      ...popular,
      license: observation('MIT'),
      openIssues: observation(2),
      repositoryCreatedAt: daysAgo(3_000),
      lastCommitAt: observation(daysAgo(lastCommit), readAt),
    }).reasons.find((code) =>
      ['active', 'maintained', 'slowing', 'stale', 'activity_outdated'].includes(code),
    );

  it.each([
    [3, 'active'],
    [60, 'active'],
    [61, 'maintained'],
    [180, 'maintained'],
    [181, 'slowing'],
    [365, 'stale'],
    [2_300, 'stale'],
  ])('of a finished project come from its last commit, %i days ago: %s', (days, word) => {
    expect(finished(days)).toBe(word);
  });

  it.each([
    ['says nothing of today from 61 days on', 300, 61, 'activity_outdated'],
    ['nor of a commit that is recent by now', 70, 65, 'activity_outdated'],
    ['nor of what had not changed for long even then', 900, 400, 'activity_outdated'],
    ['is none up to 60 days: it tells the age of the commit', 300, 60, 'slowing'],
    ['is none up to 60 days, also of a commit that was recent then', 200, 30, 'slowing'],
    ['is none up to 60 days, also of a commit that is a year old by now', 370, 30, 'stale'],
  ])('of an old reading: %s', (_case, lastCommit, readAt, word) => {
    expect(finished(lastCommit, readAt)).toBe(word);
  });

  it('come with the date of the commit, and with that of an old reading in place of a word', () => {
    const sentence = (lastCommit: number, readAt: number) =>
      judge({ ...popular, lastCommitAt: observation(daysAgo(lastCommit), readAt) }).sentence;

    expect(sentence(100, 60)).toContain('maintained (last commit 13 Aug 2026);');
    expect(sentence(93, 91)).toContain('; last commit 20 Aug 2026, read 22 Aug 2026;');
  });

  it('come with the date of the commit where a verdict is restored', () => {
    const commit = { at: new Date(daysAgo(93)), readAt: new Date(daysAgo(91)) };

    expect(readVerdict('well_evidenced', ['widely_used', 'maintained'], commit).sentence).toBe(
      'Widely used and maintained (last commit 20 Aug 2026).',
    );
    expect(readVerdict('well_evidenced', ['widely_used', 'activity_outdated'], commit).sentence).toBe(
      'Widely used; last commit 20 Aug 2026, read 22 Aug 2026.',
    );
    expect(readVerdict('well_evidenced', ['widely_used', 'maintained']).sentence).toBe(
      'Widely used and maintained.',
    );
  });

  it('of a post are those of a commit as old', () => {
    expect(judgeAccount({ lastPostAt: observation(daysAgo(130)) }).reasons).toContain('maintained');
  });
});

const UNKNOWN_ACCOUNT: AccountFacts = {
  kind: 'account',
  verifiedMark: null,
  accountCreatedAt: null,
  audience: null,
  audienceDayGrowth: null,
  engagement: null,
  lastPostAt: null,
  crossLink: null,
  scamFlag: null,
};

function judgeAccount(known: Partial<AccountFacts>) {
  const facts = { ...UNKNOWN_ACCOUNT, ...known };
  const { contributions, caps } = scoreByMethod(scoreRequest(facts, 'social_account'));
  return verdictOf({ contributions, caps, facts, confidence: 80, factsAt: NOW.toISOString() });
}

function judgeCreator(accounts: CreatorFacts['accounts']) {
  const facts: CreatorFacts = { accounts, accountCreatedAt: null, portfolio: null, graphEquity: null };
  const { contributions, caps } = scoreByMethod(scoreRequest(facts, 'creator'));
  return verdictOf({ contributions, caps, facts, confidence: 80, factsAt: NOW.toISOString() });
}

describe('words about use', () => {
  it('are about the audience of an account', () => {
    const known = { audience: observation(2_000), lastPostAt: observation(daysAgo(3)) };

    expect(judgeAccount(known).sentence).toMatch(/^Large audience and active \(last post/);
    expect(judgeAccount({ audience: observation(5) }).sentence).toMatch(
      /^Small audience so far; no activity/,
    );
    expect(judgeAccount({}).sentence).toMatch(/^Audience not known; no activity data/);
    expect(presentVerdict(judgeAccount(known)).reasons).toContainEqual({
      code: 'widely_used',
      text: 'large audience',
    });
  });
});

describe('only a proof made here verifies', () => {
  const from = (source: string, kinds: Partial<typeof NO_ACCOUNTS>) => ({
    value: { ...NO_ACCOUNTS, ...kinds },
    observedAt: daysAgo(1),
    source,
  });

  it.each([
    [{}, 'accounts_unknown'],
    [{ verifiedMark: observation(false) }, 'accounts_not_proved'],
    [{ verifiedMark: observation(true) }, 'platform_mark'],
    [{ crossLink: observation('none') }, 'accounts_not_proved'],
    [{ crossLink: observation('one') }, 'linked_one_way'],
    [{ crossLink: observation('both') }, 'linked_both_ways'],
  ] as readonly [Partial<AccountFacts>, string][])(
    'a social account: %j does not, and is called %s',
    (known, code) => {
      expect(judgeAccount(known)).toMatchObject({
        state: 'well_evidenced',
        reasons: expect.arrayContaining([code]),
      });
      expect(judgeAccount(known).sentence).not.toContain('accounts proved');
    },
  );

  it('a social account: its own proof does', () => {
    const verdict = judgeAccount({ verifiedMark: observation(true), proved: observation(true) });

    expect(verdict).toMatchObject({
      state: 'verified',
      reasons: expect.arrayContaining(['accounts_proved']),
    });
  });

  it('a creator: a proved npm account does, a registry’s statement does not', () => {
    expect(judgeCreator(from('linked_accounts', { nodePackages: true }))).toMatchObject({
      state: 'verified',
      reasons: ['accounts_proved'],
    });
    expect(judgeCreator(from('mcp_registry', { repoHost: true }))).toMatchObject({
      state: 'well_evidenced',
      sentence: 'The MCP registry names this account, but we have not verified it.',
    });
    expect(judgeCreator(from('linked_accounts', {}))).toMatchObject({
      state: 'verified',
      sentence: 'Only a social or messaging account proved.',
    });
    expect(judgeCreator(from('registry', {}))).toMatchObject({
      state: 'well_evidenced',
      reasons: ['accounts_not_proved'],
    });
  });

  it("a listing: its creator's npm account does not, and is named", () => {
    const creatorAccounts = from('linked_accounts', { nodePackages: true });

    const verdict = judge({ ...popular, creatorAccounts });

    expect(verdict.state).toBe('well_evidenced');
    expect(verdict.sentence).toContain("owner not verified; creator's npm account proved");
    expect(judge({ ...popular, creatorAccounts: from('mcp_registry', { repoHost: true }) }).reasons).toEqual(
      judge(popular).reasons,
    );
  });

  it('a listing: not the word of a scoring backend', () => {
    const facts = { ...popular, verified: observation(false) };
    const { contributions, ...score } = scoreByMethod(scoreRequest(facts));
    const claimed = contributions.map((each) =>
      each.signal === 'verified_listing' ? { ...each, value: 1 } : each,
    );

    const verdict = verdictOf({ ...score, contributions: claimed, facts, factsAt: NOW.toISOString() });

    expect(verdict).toMatchObject({ state: 'well_evidenced' });
    expect(verdict.reasons).toContain('owner_not_verified');
  });
});
