/** Complete rows in the data format; a test overrides what it is about. */
export type Row = Record<string, unknown>;

/** Creates a listing row of github.com with only name, description and category. */
export function listing(repository: string, overrides: Row = {}): Row {
  return {
    type: 'skill',
    kind: 'mcp-server',
    name: repository.split('/')[1],
    description: `What ${repository} does.`,
    category: 'coding',
    categoryBasis: 'source',
    sourceCategories: [],
    tags: [],
    repository,
    repoUrl: `https://${overrides.host ?? 'github.com'}/${repository}`,
    host: 'github.com',
    githubRepoId: null,
    homepage: null,
    stars: null,
    forks: null,
    openIssues: null,
    lastCommit: null,
    githubUpdatedAt: null,
    metricsAsOf: null,
    metricsSource: null,
    license: null,
    createdAt: null,
    parentRepository: null,
    parentRelation: null,
    formerRepositories: [],
    probablyRenamedTo: null,
    npmPackage: null,
    npmVersion: null,
    npmMonthlyDownloads: null,
    pypiPackage: null,
    mcpRegistryName: null,
    artifactCount: null,
    descriptionSource: 'acme/list',
    sources: ['acme/list'],
    shareAlike: false,
    ...overrides,
  };
}

/** Creates a creator row of one listing. */
export function creator(handle: string, overrides: Row = {}): Row {
  return {
    handle,
    host: 'github.com',
    displayName: null,
    displayNameCandidates: [],
    kind: null,
    handleVariants: [],
    listingsCount: 1,
    agentsCount: 0,
    skillsCount: 1,
    starsSum: null,
    starsKnownFor: 0,
    npmPackagesCount: null,
    npmScopeEqualsHandle: null,
    pypiPackagesCount: null,
    mcpRegistryNamespaces: [],
    mcpRegistryGithubNamespace: null,
    displayNameSources: [],
    ...overrides,
  };
}

/** Creates a skill with a path inside a repository. */
export function artifact(repository: string, name: string, overrides: Row = {}): Row {
  return {
    repository,
    name,
    kind: 'skill',
    path: `skills/${name}`,
    description: null,
    npmPackage: null,
    pypiPackage: null,
    mcpRegistryName: null,
    license: null,
    sources: ['acme/list'],
    artifactsInRepository: 1,
    ...overrides,
  };
}

/** Creates a directed and stated relation. */
export function relation(type: string, from: string, to: string, overrides: Row = {}): Row {
  return {
    type,
    from,
    to,
    fromListed: true,
    toListed: true,
    directed: true,
    stated: true,
    resolution: 'source',
    evidence: 'fork of it',
    source: 'acme/list',
    ...overrides,
  };
}

/** Creates a social account with only its name. */
export function account(platform: string, handle: string, overrides: Row = {}): Row {
  return {
    type: 'social_account',
    kind: 'account',
    platform,
    handle,
    name: null,
    url: null,
    formerHandles: [],
    ownerHandle: null,
    platformAccountId: null,
    createdAt: null,
    verifiedMark: null,
    audience: null,
    audienceDayGrowth: null,
    engagement: null,
    lastPostAt: null,
    crossLink: null,
    scamFlag: null,
    observedAt: null,
    source: 'acme/list',
    ...overrides,
  };
}
