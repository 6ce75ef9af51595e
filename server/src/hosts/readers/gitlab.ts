import { HostFailure, isSameHandle, requireSameAccount } from '../host-account.ts';
import {
  cleanCount,
  cleanText,
  cleanTime,
  createAnswerParser,
  ID_SCHEMA,
  OPTIONAL_STRINGS,
  optionalSchema,
} from '../untrusted-answers.ts';
import {
  type AccountReader,
  CODE_FILE,
  codeInFiles,
  codeRepositories,
  type HostApiClient,
  type Profile,
} from './account-reader.ts';
import { cleanTopics, DESCRIPTION_LENGTH, type RepositoryReader } from './repository-reading.ts';

const readRepository = createAnswerParser({
  type: 'object',
  required: ['id', 'path_with_namespace'],
  properties: {
    id: ID_SCHEMA,
    path_with_namespace: { type: 'string', maxLength: 1_000 },
    namespace: {
      type: ['object', 'null'],
      required: ['id', 'kind', 'path'],
      properties: {
        id: { type: 'integer', minimum: 0 },
        kind: { type: 'string' },
        path: { type: 'string', maxLength: 255 },
      },
    },
    description: optionalSchema('string'),
    topics: OPTIONAL_STRINGS,
    license: { type: ['object', 'null'], properties: { key: optionalSchema('string') } },
    star_count: optionalSchema('number'),
    forks_count: optionalSchema('number'),
    open_issues_count: optionalSchema('number'),
    created_at: optionalSchema('string'),
    archived: optionalSchema('boolean'),
    forked_from_project: {
      type: ['object', 'null'],
      properties: { path_with_namespace: optionalSchema('string') },
    },
  },
});

const readCommits = createAnswerParser({
  type: 'array',
  items: { type: 'object', properties: { committed_date: optionalSchema('string') } },
});

/**
 * Reads GitLab's `GET /projects/{id or path}`. `last_activity_at` also changes with issues, so the last commit needs a
 * request of its own.
 */
export const gitlabRepository: RepositoryReader = {
  pathByName: (repository) => `/projects/${encodeURIComponent(repository)}?license=true`,
  pathById: (id) => `/projects/${encodeURIComponent(id)}?license=true`,
  read(body, host) {
    const answer = readRepository(body, host);
    const reading = {
      hostRepositoryId: String(answer.id),
      hostOwnerId: groupOf(answer),
      repository: answer.path_with_namespace,
      description: cleanText(answer.description, DESCRIPTION_LENGTH),
      topics: cleanTopics(answer.topics),
      homepage: null,
      license: spdxOf(answer.license?.key),
      statesLicense: true,
      stars: cleanCount(answer.star_count),
      forks: cleanCount(answer.forks_count),
      openIssues: cleanCount(answer.open_issues_count),
      lastCommitAt: null,
      createdAt: cleanTime(answer.created_at),
      archived: answer.archived ?? null,
      forkOf: answer.forked_from_project?.path_with_namespace ?? null,
    };
    const path = `/projects/${encodeURIComponent(String(answer.id))}/repository/commits?per_page=1`;
    const read = (commits: string) => cleanTime(readCommits(commits, host)[0]?.committed_date);
    return { reading, lastCommit: { path, read }, owner: personOf(answer.namespace) };
  },
};

/**
 * Returns the id of the group that owns a project. A group and its namespace have the same id; a person and the
 * person's namespace have different ids. The owner of a project in a subgroup counts as unknown, because a subgroup may
 * have other owners than its group, and no account can be proved by a subgroup's path.
 */
function groupOf({
  namespace,
  path_with_namespace: path,
}: {
  namespace?: { kind: string; id: number } | null;
  path_with_namespace: string;
}): string | null {
  if (namespace?.kind !== 'group' || path.split('/').length > 2) return null;
  return `group-${namespace.id}`;
}

const readOwners = createAnswerParser({
  type: 'array',
  items: {
    type: 'object',
    required: ['id', 'username'],
    properties: { id: { type: 'integer', minimum: 0 }, username: { type: 'string', maxLength: 255 } },
  },
});

/**
 * Builds the request for the id of the person who owns a project's namespace; null unless a person owns it. Without
 * signing in, a project shows only the id of the namespace.
 */
function personOf(namespace: { kind: string; path: string } | null | undefined) {
  if (namespace?.kind !== 'user') return null;
  const { path: username } = namespace;
  return {
    path: `/users?username=${encodeURIComponent(username)}`,
    read(users: string, host: string): string | null {
      const person = readOwners(users, host).find((user) => isSameHandle(user.username, username));
      return person === undefined ? null : String(person.id);
    },
  };
}

/**
 * Converts GitLab's licence key to SPDX. A key is an SPDX identifier in lower case, and is returned as it is. The key
 * `other` means a licence that GitLab cannot identify and becomes NOASSERTION.
 */
function spdxOf(key: string | null | undefined): string | null {
  const text = cleanText(key, 100);
  return text === 'other' ? 'NOASSERTION' : text;
}

const user = {
  type: 'object',
  required: ['id', 'username'],
  properties: {
    id: { type: 'integer', minimum: 0 },
    username: { type: 'string', minLength: 1, maxLength: 255 },
    name: optionalSchema('string'),
    created_at: optionalSchema('string'),
    bio: optionalSchema('string'),
    website_url: optionalSchema('string'),
    organization: optionalSchema('string'),
    job_title: optionalSchema('string'),
  },
} as const;
const readUsers = createAnswerParser({ type: 'array', items: user });
const readUser = createAnswerParser(user);
type User = ReturnType<typeof readUser>;

const group = {
  type: 'object',
  required: ['id', 'full_path'],
  properties: {
    id: { type: 'integer', minimum: 0 },
    full_path: { type: 'string', minLength: 1, maxLength: 255 },
    created_at: optionalSchema('string'),
    description: optionalSchema('string'),
  },
} as const;
const readGroups = createAnswerParser({ type: 'array', items: group });
const readGroup = createAnswerParser(group);

/**
 * Reads GitLab's user with this name, or the group if there is no such user. Both can own projects. A user and a group
 * may have the same id, so the id of a group gets the prefix `group-`.
 */
export const gitlabAccount: AccountReader = async (from, handle) =>
  (await readUserProfile(from, handle)) ?? (await readGroupProfile(from, handle));

async function readUserProfile(from: HostApiClient, handle: string): Promise<Profile | null> {
  const list = await from.request(`/users?username=${encodeURIComponent(handle)}`);
  const found = readUsers(list.body, from.host).find(({ username }) => isSameHandle(username, handle));
  if (found === undefined) return null;
  const full = readUser((await from.request(`/users/${found.id}`)).body, from.host);
  const named = ({ id, username }: User) => ({ hostAccountId: String(id), handle: username });
  requireSameAccount(named(found), named(full), from.host);
  const file = encodeURIComponent(CODE_FILE);
  const files = codeRepositories(full.username).map((repository) => {
    const project = encodeURIComponent(`${full.username}/${repository}`);
    return `/projects/${project}/repository/files/${file}/raw?ref=HEAD`;
  });
  return {
    ...named(full),
    ...shared(from, full.username, full.created_at),
    isOrganisation: false,
    texts: [full.name, full.bio, full.website_url, full.organization, full.job_title],
    secondPlace: codeInFiles(from, files, 'text/plain'),
  };
}

/** Reads a group, which has no website field. */
async function readGroupProfile(from: HostApiClient, handle: string): Promise<Profile> {
  const name = IS_ID.test(handle) ? await findGroupId(from, handle) : encodeURIComponent(handle);
  const group = readGroup((await from.request(`/groups/${name}?with_projects=false`)).body, from.host);
  return {
    hostAccountId: `group-${group.id}`,
    handle: group.full_path,
    ...shared(from, group.full_path, group.created_at),
    isOrganisation: true,
    texts: [group.description],
    secondPlace: null,
  };
}

/** Group paths that GitLab would treat as an id. */
const IS_ID = /^-?\d+$/;

/** Finds the id of a group with a numeric name by search, because GitLab treats a numeric path as an id. */
async function findGroupId(from: HostApiClient, path: string): Promise<number> {
  const query = `search=${encodeURIComponent(path)}&top_level_only=true&per_page=100`;
  const groups = readGroups((await from.request(`/groups?${query}`)).body, from.host);
  const found = groups.find(({ full_path }) => isSameHandle(full_path, path));
  if (found) return found.id;
  throw new HostFailure('not_found', `${from.host} has no entry with that name.`);
}

function shared(from: HostApiClient, handle: string, createdAt: string | null | undefined) {
  const evidenceUrl = `https://${from.host}/${encodeURIComponent(handle)}`;
  return { createdAt: cleanTime(createdAt), evidenceUrl, website: null, facts: null };
}
