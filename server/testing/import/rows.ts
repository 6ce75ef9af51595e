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

/** Package of an entry: its type, and its name or a name with more fields. */
type PackageOf = readonly [registryType: string, identifier: string, more?: Row];

/** Creates an active, latest entry of the MCP registry, which names a repository of github.com and packages. */
export function server(
  name: string,
  repository: string | null,
  packages: readonly PackageOf[] = [],
  overrides: Row = {},
): Row {
  const { version = '1.0.0', repositoryId, remotes, ...official } = overrides;
  return {
    server: {
      $schema: 'https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json',
      name,
      description: `What ${name} does.\n\nIn two paragraphs.`,
      version,
      ...(repository !== null && {
        repository: {
          url: `https://github.com/${repository}`,
          source: 'github',
          ...(repositoryId !== undefined && { id: repositoryId }),
        },
      }),
      packages: packages.map(([registryType, identifier, more]) => ({
        registryType,
        identifier,
        version: '1.0.0',
        transport: { type: 'stdio' },
        ...more,
      })),
      ...(remotes !== undefined && { remotes }),
    },
    _meta: {
      'io.modelcontextprotocol.registry/official': {
        status: 'active',
        isLatest: true,
        publishedAt: '2025-12-01T10:00:00.000001Z',
        updatedAt: '2025-12-01T10:00:00.000001Z',
        ...official,
      },
    },
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
