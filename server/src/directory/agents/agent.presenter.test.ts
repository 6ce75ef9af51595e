import { describe, expect, it } from 'vitest';
import { presentAgent } from './agent.presenter.ts';
import type { AgentRecord } from './agent-record.ts';

const record: AgentRecord = {
  subjectId: '0190f5c2-7b1e-7c3a-9d4e-5f60718293a4',
  creatorId: '0190f5c2-7b1e-7c3a-9d4e-5f60718293a5',
  agentId: 'AGT-0A1B2C3D',
  type: 'skill',
  name: 'Robot',
  description: '',
  category: 'coding',
  tags: ['maps'],
  kind: 'plugin',
  license: 'MIT',
  packageConfirmed: true,
  packages: {
    ...{ npm: 'robot', npmConfirmed: true, npmMissing: false },
    ...{ pypi: 'no-robot', pypiConfirmed: false, pypiMissing: true },
    others: [{ registry: 'oci', name: 'ghcr.io/acme/robot', isConfirmed: false }],
  },
  repositoryUrl: 'https://github.com/acme/robot',
  partCount: 0,
  stars: 12,
  forks: 3,
  openIssues: 0,
  lastCommitAt: new Date('2026-05-01T10:00:00Z'),
  verified: false,
  trust: 31.1,
  confidence: 11.3,
  tier: 'low',
  scoreVersion: '2026-11-20T09:14:03.482915Z',
  verdict: 'little_evidence',
  reasons: ['little_used', 'owner_not_verified'],
  evidence: null,
  standing: { percentile: 92, among: 410, countedAt: '2026-11-21T06:00:00.000000Z' },
  listedAt: new Date('2026-01-01T00:00:00Z'),
  updatedAt: new Date('2026-02-01T00:00:00Z'),
  creatorHost: 'github.com',
  creatorHandle: 'acme',
  creatorDisplayName: 'Acme Inc',
  creatorVerified: true,
  creatorTrust: 48.5,
  creatorConfidence: 58.6,
};

/** Public handles by creator: empty, because no handle in these tests needs a host prefix. */
const BARE = new Map<string, string>();

describe('presentAgent', () => {
  it('shows a record under the names of the specification', () => {
    expect(presentAgent(record, BARE)).toEqual({
      id: 'AGT-0A1B2C3D',
      type: 'skill',
      name: 'Robot',
      description: '',
      category: 'coding',
      tags: ['maps'],
      kind: 'plugin',
      license: 'MIT',
      packageConfirmed: true,
      container: null,
      packages: [
        { registry: 'npm', name: 'robot', standing: 'confirmed' },
        { registry: 'pypi', name: 'no-robot', standing: 'missing' },
        { registry: 'oci', name: 'ghcr.io/acme/robot', standing: 'named' },
      ],
      creator: {
        handle: 'acme',
        displayName: 'Acme Inc',
        verified: true,
        trustScore: 48.5,
        confidence: 58.6,
      },
      repoHost: {
        url: 'https://github.com/acme/robot',
        stars: 12,
        forks: 3,
        openIssues: 0,
        lastCommit: '2026-05-01T10:00:00.000Z',
      },
      repositoryUrl: 'https://github.com/acme/robot',
      verified: false,
      trustScore: 31.1,
      confidence: 11.3,
      tier: 'low',
      scoreVersion: '2026-11-20T09:14:03.482915Z',
      verdict: {
        state: 'little_evidence',
        sentence: 'Few users so far; owner not verified.',
        reasons: [
          { code: 'little_used', text: 'few users so far' },
          { code: 'owner_not_verified', text: 'owner not verified' },
        ],
      },
      standing: {
        category: 'coding',
        type: 'skill',
        percentile: 92,
        among: 410,
        asOf: '2026-11-21T06:00:00.000000Z',
      },
      listedAt: '2026-01-01T00:00:00.000Z',
      updatedAt: '2026-02-01T00:00:00.000Z',
    });
  });

  it('says what makes the repository a container, with the number of its parts', () => {
    const servers = { ...record, repositoryUrl: 'https://github.com/acme/servers', partCount: 11 };
    const many = { ...record, partCount: 40 };

    expect(presentAgent(servers, BARE).container).toEqual({ parts: 11, because: 'name' });
    expect(presentAgent(many, BARE).container).toEqual({ parts: 40, because: 'parts' });
  });

  it('never shows the score of a creator who is not verified', () => {
    const { creator } = presentAgent({ ...record, creatorVerified: false }, BARE);

    expect(creator).toMatchObject({ verified: false, trustScore: null, confidence: null });
  });

  it('leaves out an unknown metric and never shows it as 0', () => {
    const { repoHost } = presentAgent({ ...record, stars: null, openIssues: null, lastCommitAt: null }, BARE);

    expect(repoHost).toEqual({ url: 'https://github.com/acme/robot', forks: 3 });
  });

  it('leaves out the metrics if none is known, but keeps the repository URL', () => {
    const agent = presentAgent(
      { ...record, stars: null, forks: null, openIssues: null, lastCommitAt: null },
      BARE,
    );

    expect(agent.repoHost).toBeNull();
    expect(agent.repositoryUrl).toBe('https://github.com/acme/robot');
  });

  it('keeps a metric of 0, which is known', () => {
    const zero = { ...record, stars: 0, forks: null, openIssues: null, lastCommitAt: null };

    expect(presentAgent(zero, BARE).repoHost).toEqual({ url: 'https://github.com/acme/robot', stars: 0 });
  });

  it('leaves out unknown reason codes, and shows the current text of known ones', () => {
    const codes = ['of_old', 'owner_not_verified'] as AgentRecord['reasons'];
    const { verdict } = presentAgent({ ...record, reasons: codes }, BARE);

    expect(verdict).toMatchObject({
      sentence: 'Owner not verified.',
      reasons: [{ code: 'owner_not_verified' }],
    });
  });

  it('shows a missing score as null, a missing display name as the handle', () => {
    const unscored = { ...record, trust: null, confidence: null, verdict: null, reasons: null };
    const agent = presentAgent({ ...unscored, creatorDisplayName: null }, BARE);

    expect(agent).toMatchObject({
      trustScore: null,
      confidence: null,
      verdict: null,
      creator: { displayName: 'acme' },
    });
  });
});
