import { answerReader, ID, OPTIONAL_TEXTS, optional } from '../answer-reader.ts';
import { cleanText, count, moment } from '../clean-values.ts';
import { DESCRIPTION_LENGTH, type RepositoryReader, topicsOf } from '../repository-reading.ts';
import { isSameHandle } from '../same-account.ts';

const readAnswer = answerReader({
  type: 'object',
  required: ['id', 'path_with_namespace'],
  properties: {
    id: ID,
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
    description: optional('string'),
    topics: OPTIONAL_TEXTS,
    license: { type: ['object', 'null'], properties: { key: optional('string') } },
    star_count: optional('number'),
    forks_count: optional('number'),
    open_issues_count: optional('number'),
    created_at: optional('string'),
    archived: optional('boolean'),
    forked_from_project: {
      type: ['object', 'null'],
      properties: { path_with_namespace: optional('string') },
    },
  },
});

const readCommits = answerReader({
  type: 'array',
  items: { type: 'object', properties: { committed_date: optional('string') } },
});

/** GitLab's `GET /projects/{id or path}`. Its `last_activity_at` moves on issues too, so the last commit is asked for. */
export const gitlabRepository: RepositoryReader = {
  pathByName: (repository) => `/projects/${encodeURIComponent(repository)}?license=true`,
  pathById: (id) => `/projects/${encodeURIComponent(id)}?license=true`,
  read(body, host) {
    const answer = readAnswer(body, host);
    const reading = {
      hostRepositoryId: String(answer.id),
      // A group is a namespace and has its number. A person's namespace has another number than the person.
      hostOwnerId: answer.namespace?.kind === 'group' ? `group-${answer.namespace.id}` : null,
      repository: answer.path_with_namespace,
      description: cleanText(answer.description, DESCRIPTION_LENGTH),
      topics: topicsOf(answer.topics),
      homepage: null,
      license: spdxOf(answer.license?.key),
      statesLicense: true,
      stars: count(answer.star_count),
      forks: count(answer.forks_count),
      openIssues: count(answer.open_issues_count),
      lastCommitAt: null,
      createdAt: moment(answer.created_at),
      archived: answer.archived ?? null,
      forkOf: answer.forked_from_project?.path_with_namespace ?? null,
    };
    const path = `/projects/${encodeURIComponent(String(answer.id))}/repository/commits?per_page=1`;
    const read = (commits: string) => moment(readCommits(commits, host)[0]?.committed_date);
    return { reading, lastCommit: { path, read }, owner: personOf(answer.namespace) };
  },
};

const readUsers = answerReader({
  type: 'array',
  items: {
    type: 'object',
    required: ['id', 'username'],
    properties: { id: { type: 'integer', minimum: 0 }, username: { type: 'string', maxLength: 255 } },
  },
});

/** Finds the person whose namespace a project is in: GitLab shows a visitor the namespace's number, not the person's. */
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

/** GitLab's keys are SPDX identifiers in lower case, or `other` for a licence that it cannot name. */
function spdxOf(key: string | null | undefined): string | null {
  const text = cleanText(key, 100);
  return text === 'other' ? 'NOASSERTION' : text;
}
