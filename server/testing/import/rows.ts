/** Rows as the data format has them, whole; what a test is about is overridden. */
export type Row = Record<string, unknown>;

/** A listing row of github.com of which nothing but name, description and category is known. */
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

/** A creator row of one listing. */
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

/** A skill with a path inside a repository. */
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

/** A directed and stated relation. */
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

/** A social account of which nothing but its name is known. */
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
