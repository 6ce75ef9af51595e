import { describe, expect, it } from 'vitest';
import { SOUND } from '../../../testing/scoring/document-vectors.ts';
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
    repositoryHost: 'github.com',
    isRead: false,
    isRegistered: false,
    isPart: false,
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
    licenseSource: 'registry',
    confirmedAt: IMPORTED,
    metadataConfirmedAt: IMPORTED,
    sourceLists: null,
    packageConfirmed: false,
    observed: null,
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
      description: null,
      tags: null,
      category: true,
      homepage: null,
      skillManifest: null,
    });
    const { verified, metadata, parents, ...unknown } = facts;
    expect(Object.values(unknown).every((fact) => fact === null)).toBe(true);
  });

  it('dates a licence with the metrics, but keeps the source of its own', () => {
    const facts = factsFromRecord(record({ license: 'MIT', stars: 5, metricsObservedAt: READ }));

    expect(facts.license).toEqual({ value: 'MIT', observedAt: READ, source: 'registry' });
    expect(facts.stars?.source).toBe('some/list');
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

  it('takes a text for absent only if the repository or its registration was read and could show it', () => {
    const textsOf = (columns: Partial<RepositoryRecord>) => {
      const { description, tags, homepage } = factsFromRecord(record(columns)).metadata?.value ?? {};
      return [description, tags, homepage];
    };

    expect(textsOf({ isRead: true })).toEqual([false, false, false]);
    expect(textsOf({ isRead: true, repositoryHost: 'gitlab.com' })).toEqual([false, false, null]);
    expect(textsOf({ isRead: true, repositoryHost: 'bitbucket.org' })).toEqual([false, null, false]);
    expect(textsOf({ isRead: true, repositoryHost: 'git.example.org' })).toEqual([false, null, null]);
    expect(textsOf({ isRegistered: true })).toEqual([false, false, null]);
    expect(textsOf({ isRead: true, isPart: true, category: null })).toEqual([null, null, null]);
    expect(
      textsOf({ description: 'Says what it does', tags: ['one'], homepage: 'https://example.org' }),
    ).toEqual([true, true, true]);
  });

  it('counts the lists that do not copy one another', () => {
    const lists = (sourceLists: readonly string[]) => factsFromRecord(record({ sourceLists })).lists;

    expect(lists(['acme/list', 'modelcontextprotocol/registry', 'joelverhagen/mcp-insights'])).toEqual({
      value: 2,
      observedAt: IMPORTED,
      source: 'registry',
    });
    expect(lists([])).toBeUndefined();
  });

  it('leaves out further facts that are unknown, so that the inputs of a score do not grow', () => {
    expect(Object.keys(factsFromRecord(record()))).not.toEqual(
      expect.arrayContaining([expect.stringMatching(/^(lists|packageConfirmed|observed)$/)]),
    );
  });

  it('tells what a list says about the status apart from what the host says', () => {
    const stated = (columns: Partial<RepositoryRecord>) =>
      factsFromRecord(
        record({ listedAs: '📦 Archived (2026-04). An agent.', listedBy: 'acme/list', ...columns }),
      );

    expect(stated({})).toMatchObject({
      archived: null,
      observed: [
        {
          fact: 'stated_status',
          value: { status: 'archived', since: '2026-04' },
          observedAt: IMPORTED,
          source: 'acme/list',
        },
      ],
    });
    for (const columns of [{ archived: false }, { archived: true }, { listedAs: null }, { listedBy: null }])
      expect(stated(columns).observed).toBeUndefined();
  });

  it('ignores facts about a package that only a list names', () => {
    const observed = [
      { fact: 'contributors' as const, value: { count: 3 }, observedAt: READ, source: 'github.com' },
      { fact: 'package_standing' as const, value: SOUND, observedAt: READ, source: 'osv' },
    ];

    expect(factsFromRecord(record({ observed })).observed).toEqual(observed.slice(0, 1));
    expect(factsFromRecord(record({ observed, packageConfirmed: true }))).toMatchObject({
      observed,
      packageConfirmed: { value: true, observedAt: IMPORTED, source: 'registry' },
    });
  });

  it('counts advisories of a package that is confirmed for another listing, too', () => {
    const factsOf = (standing: Partial<typeof SOUND>) =>
      factsFromRecord(
        record({
          isConfirmedForOthers: true,
          observed: [
            { fact: 'package_standing', value: { ...SOUND, ...standing }, observedAt: READ, source: 'osv' },
          ],
        }),
      );

    expect(factsOf({}).packageConfirmed).toBeUndefined();
    for (const affected of [
      { malwareVersions: ['1.0.0'] },
      { vulnerabilities: [{ id: 'GHSA-1', severity: 'high' as const, fixedIn: null }] },
    ])
      expect(factsOf(affected)).toMatchObject({
        packageConfirmed: { value: true },
        observed: [{ value: affected }],
      });
  });
});
