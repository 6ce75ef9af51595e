import { describe, expect, it } from 'vitest';
import { UNKNOWN_CREATOR } from '../../../testing/scoring/unknown-creator.ts';
import { factsFromRecord, type RepositoryRecord } from './repository-facts.queries.ts';

const IMPORTED = '2026-11-21T00:00:00.000000Z';
const READ = '2026-08-22T00:00:00.000000Z';

function record(columns: Partial<RepositoryRecord> = {}): RepositoryRecord {
  return {
    verified: false,
    description: '',
    tags: [],
    category: 'other',
    homepage: null,
    hasSkillManifest: false,
    license: null,
    stars: null,
    forks: null,
    openIssues: null,
    lastCommitAt: null,
    repositoryCreatedAt: null,
    archived: null,
    monthlyDownloads: null,
    packageIsShared: false,
    metricsObservedAt: null,
    metricsSource: 'some/list',
    confirmedAt: IMPORTED,
    metadataConfirmedAt: IMPORTED,
    creator: UNKNOWN_CREATOR,
    parents: [],
    ...columns,
  };
}

describe('factsFromRecord', () => {
  it('leaves every unknown column unknown, and observes what the registry itself holds', () => {
    const facts = factsFromRecord(record());

    expect(facts.verified).toEqual({ value: false, observedAt: IMPORTED, source: 'registry' });
    expect(facts.metadata?.value).toEqual({
      description: false,
      tags: false,
      category: true,
      homepage: false,
      skillManifest: null,
    });
    const { verified, metadata, parents, ...unknown } = facts;
    expect(Object.values(unknown).every((fact) => fact === null)).toBe(true);
  });

  it('keeps a count of zero apart from no count', () => {
    const facts = factsFromRecord(record({ stars: 0, openIssues: 0, metricsObservedAt: READ }));

    expect(facts.stars).toEqual({ value: 0, observedAt: READ, source: 'some/list' });
    expect(facts.openIssues?.value).toBe(0);
    expect(facts.forks).toBeNull();
  });

  it('dates metrics and licence by their reading, and without one by the row', () => {
    const read = factsFromRecord(record({ license: 'MIT', metricsObservedAt: READ }));
    const unread = factsFromRecord(record({ license: 'MIT' }));

    expect(read.license?.observedAt).toBe(READ);
    expect(unread.license?.observedAt).toBe(IMPORTED);
  });

  it.each([null, '', ' '])('takes the licence %j for unknown, not for none', (license) => {
    expect(factsFromRecord(record({ license })).license).toBeNull();
  });

  it('treats the downloads of a package that others name as unknown', () => {
    const own = factsFromRecord(record({ monthlyDownloads: 900 }));
    const shared = factsFromRecord(record({ monthlyDownloads: 900, packageIsShared: true }));

    expect(own.monthlyDownloads).toEqual({ value: 900, observedAt: IMPORTED, source: 'npm' });
    expect(shared.monthlyDownloads).toBeNull();
  });

  it("reads the creator's registry namespace as old as the metrics that it came with", () => {
    const creator = { ...UNKNOWN_CREATOR, hasRegistryNamespace: true };

    expect(factsFromRecord(record({ creator, metricsObservedAt: READ })).creatorAccounts?.observedAt).toBe(
      READ,
    );
    expect(factsFromRecord(record({ creator })).creatorAccounts?.observedAt).toBe(IMPORTED);
  });

  it('counts the skill manifest in the metadata only where one is known', () => {
    expect(factsFromRecord(record({ hasSkillManifest: true })).metadata?.value.skillManifest).toBe(true);
  });
});
