import { describe, expect, it } from 'vitest';
import {
  daysAgo,
  GOLDEN_VECTORS,
  repositoryFacts,
  scoreRequest,
  seen,
} from '../../../testing/scoring/golden-vectors.ts';
import { scoreByMethod } from '../embedded/embedded-backend.ts';
import type { RepositoryFacts } from '../facts/repository-facts.ts';
import { REASONS } from './reasons.ts';
import { restsOnDefaults, verdictOf } from './verdict.ts';

function judge(facts: RepositoryFacts) {
  return verdictOf({ ...scoreByMethod(scoreRequest(facts)), facts });
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

/** Known to everybody, claimed by nobody. */
const popular = repositoryFacts({
  verified: seen(false),
  stars: seen(100_000),
  forks: seen(14_000),
  openIssues: seen(500),
  lastCommitAt: seen(daysAgo(3)),
  repositoryCreatedAt: daysAgo(900),
});

describe('a verdict', () => {
  it('is verified only where the owner is and enough is known besides', () => {
    expect(vector('A')).toMatchObject({
      state: 'verified',
      sentence: 'Very widely used and active; owner verified.',
    });
    expect(judge(repositoryFacts({ verified: seen(true) })).state).toBe('little_evidence');
  });

  it('is well evidenced where much was seen and the owner is not known', () => {
    expect(judge(popular)).toMatchObject({
      state: 'well_evidenced',
      sentence: 'Very widely used and active; owner not verified; licence not known.',
    });
  });

  it('is little evidence, never a warning, where little is known', () => {
    expect(vector('H')).toMatchObject({ state: 'little_evidence' });
    expect(judge(repositoryFacts({ verified: seen(false) }))).toMatchObject({
      state: 'little_evidence',
      sentence: 'No usage or activity data yet; owner not verified; licence not known.',
    });
  });

  it.each([
    ['archived', { archived: true }, 'Archived by its owner; '],
    ['deprecated', { deprecated: true }, 'Marked deprecated; '],
    ['no_license', { license: seen('none') }, 'No licence, so nobody may use it; '],
  ] as const)('warns of what was observed: %s', (code, observed, start) => {
    const verdict = judge({ ...popular, verified: seen(true), ...observed });

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

    expect(verdictOf({ confidence: 90, contributions: [], caps, facts: null })).toEqual({
      state: 'warning',
      sentence: 'Trust limited by the scoring method.',
      reasons: ['limited'],
    });
  });

  it('says so where a backend tells nothing of how it came to its score', () => {
    const verdict = verdictOf({ confidence: 50, contributions: [], caps: [], facts: null });

    expect(verdict).toEqual({
      state: 'well_evidenced',
      sentence: 'No reasons were given with this score.',
      reasons: [],
    });
  });

  it('rests on defaults where nothing was seen but the entry itself, and on more as soon as anything was', () => {
    const restsOn = (facts: RepositoryFacts) => {
      const score = scoreByMethod(scoreRequest(facts));
      return restsOnDefaults(score.confidence, verdictOf({ ...score, facts }).reasons);
    };
    const bare = { verified: seen(false), metadata: seen({ ...EVERY_TEXT, homepage: false }) };

    expect(restsOn(repositoryFacts(bare))).toBe(true);
    for (const more of [
      { stars: seen(0) },
      { lastCommitAt: seen(daysAgo(4_000)) },
      { license: seen('Custom') },
      { verified: seen(true) },
      { creatorAccountCreatedAt: seen(daysAgo(1)) },
      { creatorAccounts: seen({ ...NO_ACCOUNTS, repoHost: true }) },
      { archived: true },
    ])
      expect([more, restsOn(repositoryFacts({ ...bare, ...more }))]).toEqual([more, false]);
  });

  it('tells the figures of another method, which gives no reasons', () => {
    expect(restsOnDefaults(3, [])).toBe(false);
  });

  it('takes no word of a registry for a proof', () => {
    const accounts = {
      signal: 'verified_accounts',
      value: 0.4,
      weight: 35,
      points: 9,
      evidence: 1,
      reason: null,
    };
    const observed = { ...accounts, status: 'observed', observedAt: '2026-08-01T00:00:00.000Z' } as const;
    const knownFrom = (source: string) =>
      verdictOf({ confidence: 52, contributions: [{ ...observed, source }], caps: [], facts: null });

    expect(knownFrom('linked_accounts')).toMatchObject({ state: 'verified', reasons: ['accounts_proved'] });
    expect(knownFrom('mcp_registry')).toMatchObject({
      state: 'well_evidenced',
      sentence: 'The MCP registry names this account, but we have not verified it.',
    });
  });

  it('tells a proof that does not count from no proof at all', () => {
    const none = { signal: 'verified_accounts', value: 0, weight: 35, points: 0, evidence: 1, reason: null };
    const observed = { ...none, status: 'observed', observedAt: '2026-08-01T00:00:00.000Z' } as const;
    const knownFrom = (source: string) =>
      verdictOf({ confidence: 52, contributions: [{ ...observed, source }], caps: [], facts: null });

    expect(knownFrom('linked_accounts')).toMatchObject({
      state: 'verified',
      sentence: 'Only a social or messaging account proved.',
    });
    expect(knownFrom('registry')).toMatchObject({
      state: 'well_evidenced',
      reasons: ['accounts_not_proved'],
    });
  });

  it('reads as one sentence, whatever it rests on', () => {
    for (const { facts } of GOLDEN_VECTORS) {
      expect(judge(facts).sentence).toMatch(/^[A-Z][^.]*\.$/);
    }
    for (const { phrase } of Object.values(REASONS)) expect(phrase).toMatch(/^[a-z][^.;]*$/);
  });
});
