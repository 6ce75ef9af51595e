import type { ShownAdvisory } from '../../src/catalog/facts/observed-facts.ts';
import type { AgentRecord } from '../../src/directory/agents/agent-record.ts';
import type { LineageEntry } from '../../src/directory/agents/get-agent.ts';
import type { ArtifactPage } from '../../src/web/public/artifact/artifact.page.tsx';
import type { CreatorCard, CreatorPage } from '../../src/web/public/creator/creator.page.tsx';
import type { ListingPage } from '../../src/web/public/listing/listing.page.tsx';
import type { PackageFacts } from '../../src/web/public/listing/versions-section.tsx';
import type { PageRelations, ShownRelation } from '../../src/web/public/relations/linked-relations.ts';
import type { ScoreDetail } from '../../src/web/public/score/score-detail.queries.ts';

function recordWith(text: string): AgentRecord {
  return {
    subjectId: 's1',
    creatorId: 'c1',
    agentId: 'AGT-0A1B2C3D',
    type: 'skill',
    name: text,
    description: text,
    category: text as AgentRecord['category'],
    tags: [text, `${text} `],
    kind: text,
    license: text,
    packageConfirmed: false,
    packages: null,
    repositoryUrl: text,
    partCount: 0,
    stars: 1234,
    forks: null,
    openIssues: null,
    lastCommitAt: new Date('2026-05-01T10:00:00Z'),
    verified: false,
    trust: 31.1,
    confidence: 11.3,
    tier: 'low',
    scoreVersion: '2026-11-20T09:14:03.482915Z',
    verdict: 'little_evidence',
    reasons: ['little_used'],
    evidence: null,
    standing: null,
    listedAt: new Date('2026-01-01T00:00:00Z'),
    updatedAt: new Date('2026-02-01T00:00:00Z'),
    creatorHost: 'github.com',
    creatorHandle: text,
    creatorDisplayName: text,
    creatorVerified: false,
    creatorTrust: null,
    creatorConfidence: null,
  };
}

/** Creates a score with this text in every text field. */
export function scoreWith(text: string): ScoreDetail {
  const seen = {
    value: 0.5,
    weight: 12,
    points: 3.2,
    evidence: 1,
    status: 'observed',
    reason: null,
  } as const;
  return {
    trust: 31.1,
    confidence: 11.3,
    lowerBound: 12,
    tier: 'low',
    status: text,
    source: text,
    methodVersion: text,
    version: '2026-08-01T10:20:30.123456Z',
    freshness: '2026-07-01T00:00:00.000000Z',
    contributions: [
      { ...seen, signal: text, source: text, observedAt: '2026-07-01T00:00:00Z' },
      {
        ...seen,
        signal: 'license',
        status: 'missing',
        value: null,
        points: 0,
        source: null,
        observedAt: null,
        reason: text,
      },
    ],
    caps: [{ cap: text, limit: 40, raw: 60, final: 40 }],
    coverage: 0.5,
    facts: null,
    factsAt: null,
    readAt: '2026-08-03T10:20:30.123456Z',
    history: ['2026-07-01T00:00:00Z', '2026-08-01T10:20:30.123456Z'].map((version) => ({
      version,
      trust: 31.1,
      confidence: 11.3,
      lowerBound: 12,
      method: version < '2026-08' ? 'former' : text,
    })),
    historyLength: 2,
  };
}

/** Creates facts about a package, some versions of which had malware, with this text in every text field. */
export function packageFactsWith(text: string): PackageFacts {
  const at = '2026-08-20T06:00:00Z';
  return {
    package_standing: {
      at,
      value: {
        ecosystem: 'npm',
        name: text,
        version: '2.0.0',
        published: 'not_affected',
        everyVersion: false,
        malwareVersions: [text],
        soundSince: '2026-08-01T00:00:00.000Z',
        isResearch: false,
        vulnerabilities: [{ id: `${text} `, severity: 'high', fixedIn: text }],
        advisoryIds: [text, `${text} `],
        disputedVersions: [text],
      },
    },
    package_advisories: { at, value: { advisories: [advisoryWith(text), advisoryWith(`${text} `)] } },
    published_package: {
      at,
      value: {
        ecosystem: 'npm',
        name: text,
        version: '2.0.0',
        releasedAt: '2026-08-01T00:00:00Z',
        provenance: 'lost',
        deprecated: null,
        monthlyDownloads: null,
      },
    },
  };
}

function advisoryWith(text: string): ShownAdvisory {
  const disputes = [{ versions: [text], reason: text, url: text }];
  return {
    id: text,
    source: text,
    url: text,
    summary: text,
    category: text,
    severity: text,
    affected: [text],
    disputes,
  };
}

/** Creates the page of a listing with this text in every text field. */
export function listingWith(text: string): ListingPage {
  const record = recordWith(text);
  const entry: LineageEntry = {
    record,
    parentId: text,
    relation: text,
    acknowledged: false,
    trustEquityFlow: 30.6,
  };
  const link = { path: '/a/id/AGT-0A1B2C3D', text };
  return {
    subject: {
      id: 's1',
      type: 'skill',
      name: text,
      repository: text,
      publicPath: '/s/acme/robot',
      agentId: 'AGT-0A1B2C3D',
      source: text,
      sourceId: 'r1',
    },
    record,
    facts: {
      host: text,
      homepage: text,
      npmPackage: text,
      pypiPackage: text,
      isNpmConfirmed: false,
      isPypiConfirmed: false,
      isNpmMissing: false,
      isPypiMissing: true,
      published: {},
      otherPackages: [{ registry: text, name: text, isConfirmed: false }],
      mcpRegistryName: text,
      figuresAt: '2026-08-20T06:00:00Z',
      isRead: false,
      figuresSource: text,
      packageFacts: packageFactsWith(text),
      declared: {
        serverName: text,
        version: text,
        updatedAt: '2026-08-20T06:00:00Z',
        url: text,
        secrets: [text],
        runsLocally: true,
        remoteHosts: [text],
      },
    },
    observed: observedWith(text),
    creator: creatorCardWith(text),
    formerCreators: [{ path: '/c/before', text, until: '2026-06-01T00:00:00Z' }],
    score: scoreWith(text),
    ownEntry: entry,
    ancestors: [{ entry, link }],
    descendants: [{ entry, link }],
    moreDescendants: true,
    relations: relationsWith(text),
    newest: { path: '/s/acme/newest', text, stated: false },
    original: { path: '/s/acme/original', text, stated: true },
    requestedName: text,
    artifacts: [{ ...link, description: text, trust: 31.1, confidence: 11.3 }],
    similar: [
      {
        record,
        path: link.path,
        creator: link,
        lowerBound: 30,
        figuresAt: '2026-08-20T06:00:00Z',
        isOfficial: false,
        readAt: '2026-08-23T00:00:00Z',
        mark: null,
      },
    ],
  };
}

/** Creates observed facts with this text in every text field. */
function observedWith(text: string): ListingPage['observed'] {
  const common = { source: text, url: text, observedAt: '2026-08-22T06:00:00Z' };
  return [
    { ...common, fact: 'manifest', value: { packages: [{ ecosystem: 'npm', name: text, path: text }] } },
    { ...common, fact: 'agent_card', value: { name: text, version: text, provider: text } },
    { ...common, fact: 'skills_index', value: { name: text, digest: text } },
    { ...common, fact: 'official_maker', value: { namespace: text } },
  ];
}

/**
 * Creates relations of a listing, to listed and unlisted repositories, of repositories and of files, with this text in
 * every text field.
 */
function relationsWith(text: string): PageRelations {
  const other = {
    id: 's2',
    agentId: 'AGT-0A1B2C3E',
    type: 'skill',
    name: text,
    repository: text,
    path: text,
    isInside: true,
    trust: 31.1,
    confidence: 11.3,
    verdict: 'warning',
    reasons: ['limited'],
    createdAt: '2025-01-01T00:00:00Z',
  } as const;
  const said = { stated: false, evidence: text, source: text, since: '2026-08-01T00:00:00Z' };
  const own = { id: 's1', type: 'skill', repository: text } as const;
  const listed = { ...said, own, other, files: 1, path: '/s/acme/other', ownPath: '/s/acme/robot' };
  const named = { ...said, own: null, other: { ...other, id: null }, files: 0, path: null, ownPath: null };
  const groupOf = (kind: string, direction: 'in' | 'both', shown: ShownRelation) => ({
    ...{ kind, direction, others: 12, files: 3, ofFiles: shown.files > 0, oldest: 'first' as const },
    ...{ shown: [shown], all: '/s/acme/robot?relations=x' },
  });
  return {
    groups: [groupOf(text, 'in', named), groupOf('identical_skill_file', 'both', listed)],
    firstSeen: [
      { id: 's3', type: 'skill', repository: text, files: 2, createdAt: '2025-01-01T00:00:00Z', path: '/' },
    ],
    skills: 4,
    copiedSkills: 2,
  };
}

function creatorCardWith(text: string): CreatorCard {
  return {
    path: '/c/acme',
    text,
    handle: text,
    host: text,
    verified: true,
    trust: 1,
    confidence: 1,
    lowerBound: 0,
    restsOnDefaults: false,
    hasRegistryNamespace: false,
    proved: [{ kind: 'repo_host', host: text, handle: text, checkedAt: '2026-07-01T00:00:00Z' }],
  };
}

/** Creates the page of an artifact with this text in every text field. */
export function artifactWith(text: string): ArtifactPage {
  const { subject, creator, score, relations, similar } = listingWith(text);
  return {
    subject,
    description: text,
    path: text,
    relations: relations.groups,
    home: creator,
    repositoryUrl: text,
    host: text,
    npmPackage: text,
    pypiPackage: text,
    creator,
    score,
    similar,
  };
}

/** Creates the page of a creator with this text in every text field. */
export function creatorWith(text: string): CreatorPage {
  const score = scoreWith(text);
  const listed = {
    record: recordWith(text),
    path: '/s/acme/robot',
    creator: { path: '/c/acme', text },
    lowerBound: 12,
    figuresAt: '2026-08-01T06:00:00Z',
    isOfficial: false,
    readAt: '2026-08-03T10:20:30.123456Z',
    mark: { kind: 'copy', stated: false, of: { path: '/s/acme/original', text } } as const,
  };
  return {
    identity: {
      id: 'c1',
      host: text,
      handle: text,
      publicHandle: text,
      displayName: text,
      verified: true,
      trust: 1,
      confidence: 1,
      tier: 'low',
      scoreVersion: score.version,
      provedKinds: ['repo_host'],
      hasRegistryNamespace: false,
      listingCount: 200,
      publicPath: '/c/acme',
      trustEquity: 15.6,
    },
    score,
    proved: creatorCardWith(text).proved,
    listings: [listed],
    offset: 0,
    relations: relationsWith(text).groups,
  };
}
