import { createAnswerParser, ID_SCHEMA, OPTIONAL_STRINGS, optionalSchema } from '../answer-parser.ts';
import { cleanCount, cleanText, cleanTime } from '../clean-values.ts';
import { isSameHandle } from '../host-account.ts';
import { cleanTopics, DESCRIPTION_LENGTH, type RepositoryReader } from './repository-reading.ts';

const readAnswer = createAnswerParser({
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
 * Reads GitLab's `GET /projects/{id or path}`. `last_activity_at` also changes with issues, so the last commit is
 * requested.
 */
export const gitlabRepository: RepositoryReader = {
  pathByName: (repository) => `/projects/${encodeURIComponent(repository)}?license=true`,
  pathById: (id) => `/projects/${encodeURIComponent(id)}?license=true`,
  read(body, host) {
    const answer = readAnswer(body, host);
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
 * Returns the id of the group that owns a project. A group is itself a namespace, with the same id; a person's namespace
 * has a different id than the person. A subgroup may have other owners than its group, and no account can be proved by
 * its path, so a project of one has no known owner.
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

const readUsers = createAnswerParser({
  type: 'array',
  items: {
    type: 'object',
    required: ['id', 'username'],
    properties: { id: { type: 'integer', minimum: 0 }, username: { type: 'string', maxLength: 255 } },
  },
});

/**
 * Requests the person who owns a project's namespace: without signing in, GitLab shows only the id of the namespace.
 */
function personOf(namespace: { kind: string; path: string } | null | undefined) {
  if (namespace?.kind !== 'user') return null;
  const { path: username } = namespace;
  return {
    path: `/users?username=${encodeURIComponent(username)}`,
    read(users: string, host: string): string | null {
      const person = readUsers(users, host).find((user) => isSameHandle(user.username, username));
      return person === undefined ? null : String(person.id);
    },
  };
}

/**
 * Converts GitLab's licence keys: SPDX identifiers in lower case, or `other` for a licence that it cannot identify.
 */
function spdxOf(key: string | null | undefined): string | null {
  const text = cleanText(key, 100);
  return text === 'other' ? 'NOASSERTION' : text;
}
