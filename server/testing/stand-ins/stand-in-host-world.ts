/** A repository as a host shows it. */
export interface StandInRepository {
  readonly api: 'github' | 'gitlab' | 'forgejo' | 'bitbucket';
  id: string;
  /** Name in the form `owner/name`. */
  name: string;
  /** Id of the owning account; null for the account whose handle is the first part of the name. */
  ownerId: string | null;
  /** Former names that redirect here. */
  formerNames: string[];
  stars: number;
  forks: number;
  openIssues: number;
  pushedAt: string;
  createdAt: string;
  archived: boolean;
  license: string | null;
  description: string | null;
  topics: string[];
  homepage: string | null;
  forkOf: string | null;
  /** Texts of files by path. */
  files: Record<string, string>;
  /** Times of releases, latest first. */
  releases: string[];
  /** Number of contributors; null if the list is too large to be shown, as GitHub says with status 403. */
  contributors: number | null;
}

/** An account on a repository host or on a social or messaging platform. */
export interface StandInAccount {
  readonly api: 'github' | 'gitlab' | 'forgejo' | 'bitbucket' | 'bluesky' | 'mastodon' | 'telegram';
  id: string;
  handle: string;
  createdAt: string;
  profile: string;
  name: string;
  verified: boolean;
  followers: number;
  lastPostAt: string;
  isOrganisation: boolean;
  /** Website in the profile. */
  website: string | null;
}

/** A package with the users that have a role in it. */
export interface StandInPackage {
  readonly api: 'npm' | 'pypi';
  name: string;
  users: string[];
  /** Publisher of the latest version. */
  publisher: string;
  description: string;
  keywords: string[];
  /** Name in the registry's answer; the package's own if absent. */
  answeredName?: string;
  /** Role of its users on PyPI; `Owner` if absent. */
  role?: string;
  /** Organisation of a PyPI project; undefined omits the member from the answer. */
  organisation?: string | null | undefined;
  /** Record as the registry publishes it: a packument of npm, or the JSON of a PyPI project. */
  record?: object;
  /** Index of a PyPI project, in its JSON form. */
  index?: object;
  /** Downloads of the last month. */
  downloads?: number;
}

/** Content of the stand-in hosts. Tests change it at any time. */
export interface StandInWorld {
  /** True if an account has every repository that is requested by name, created at the first request. */
  showsAnyRepository: boolean;
  readonly repositories: StandInRepository[];
  readonly accounts: StandInAccount[];
  readonly packages: StandInPackage[];
  /** Entries of the MCP registry, as it publishes them, and the most that it shows on a page. */
  readonly servers: object[];
  registryPageSize: number;
  /** Results of OpenSSF Scorecard by `host/owner/name`; `name` is the repository that the answer names, if another. */
  readonly scorecards: Record<string, { score: number; date: string; name?: string }>;
  /** OSV records by ecosystem. `osvFiles` replaces files of the bucket, such as `npm/MAL-1.json`; null for a missing one. */
  readonly osv: Record<string, { readonly id: string; readonly modified: string }[]>;
  readonly osvFiles: Record<string, string | null>;
  /** Texts of files that a domain publishes, by path below `/web`. */
  readonly webFiles: Record<string, string>;
  repository(of: Partial<StandInRepository> & Pick<StandInRepository, 'name'>): StandInRepository;
  account(of: Partial<StandInAccount> & Pick<StandInAccount, 'handle'>): StandInAccount;
  package(of: Partial<StandInPackage> & Pick<StandInPackage, 'api' | 'name' | 'users'>): StandInPackage;
}

/** Creates a world without content. */
export function emptyWorld(): StandInWorld {
  let number = 1_000;
  const unusedId = (): string => {
    number += 1;
    const isUsed = [...world.repositories, ...world.accounts].some(({ id }) => id === String(number));
    return isUsed ? unusedId() : String(number);
  };
  const added = <Thing>(things: Thing[], thing: Thing): Thing => {
    things.push(thing);
    return thing;
  };
  const world: StandInWorld = {
    showsAnyRepository: false,
    repositories: [],
    accounts: [],
    packages: [],
    servers: [],
    registryPageSize: 100,
    scorecards: {},
    osv: {},
    osvFiles: {},
    webFiles: {},
    repository: (of) => added(world.repositories, { ...REPOSITORY, id: unusedId(), files: {}, ...of }),
    account: (of) => added(world.accounts, { ...ACCOUNT, id: unusedId(), ...of }),
    package: (of) => added(world.packages, { ...PACKAGE, publisher: of.users[0] ?? '', ...of }),
  };
  return world;
}

const REPOSITORY = {
  api: 'github' as const,
  ownerId: null,
  formerNames: [],
  stars: 340,
  forks: 12,
  openIssues: 3,
  pushedAt: '2026-11-01T10:00:00Z',
  createdAt: '2024-02-03T04:05:06Z',
  archived: false,
  license: 'MIT',
  description: 'What the host says it is',
  topics: ['agents', 'mcp'],
  homepage: 'https://project.example/',
  forkOf: null,
  releases: [],
  contributors: 1,
};

const ACCOUNT = {
  api: 'github' as const,
  createdAt: '2019-05-06T07:08:09Z',
  profile: '',
  name: 'A person',
  verified: false,
  followers: 1_234,
  lastPostAt: '2026-11-10T00:00:00Z',
  isOrganisation: false,
  website: null,
};

const PACKAGE = { description: 'A package', keywords: ['tool'], organisation: null };
