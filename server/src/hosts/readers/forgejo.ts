import { HostFailure, requireSameAccount } from '../host-account.ts';
import {
  cleanCount,
  cleanText,
  cleanTime,
  cleanUrl,
  createAnswerParser,
  ID_SCHEMA,
  OPTIONAL_STRINGS,
  optionalSchema,
} from '../untrusted-answers.ts';
import { type AccountReader, CODE_FILE, codeInFiles, codeRepositories } from './account-reader.ts';
import { cleanTopics, DESCRIPTION_LENGTH, escapePath, type RepositoryReader } from './repository-reading.ts';

const readRepository = createAnswerParser({
  type: 'object',
  required: ['id', 'full_name'],
  properties: {
    id: ID_SCHEMA,
    full_name: { type: 'string', maxLength: 201 },
    owner: { type: ['object', 'null'], required: ['id'], properties: { id: ID_SCHEMA } },
    description: optionalSchema('string'),
    website: optionalSchema('string'),
    topics: OPTIONAL_STRINGS,
    licenses: OPTIONAL_STRINGS,
    stars_count: optionalSchema('number'),
    forks_count: optionalSchema('number'),
    open_issues_count: optionalSchema('number'),
    created_at: optionalSchema('string'),
    archived: optionalSchema('boolean'),
    default_branch: optionalSchema('string'),
    parent: { type: ['object', 'null'], properties: { full_name: optionalSchema('string') } },
  },
});

const readBranch = createAnswerParser({
  type: 'object',
  properties: {
    commit: { type: ['object', 'null'], properties: { timestamp: optionalSchema('string') } },
  },
});

/**
 * Reads `GET /repos/{owner}/{repo}` of Forgejo and Gitea. `updated_at` also changes with settings, so the last commit
 * is read from the branch.
 */
export const forgejoRepository: RepositoryReader = {
  pathByName: (repository) => `/repos/${escapePath(repository)}`,
  pathById: (id) => `/repositories/${encodeURIComponent(id)}`,
  read(body, host) {
    const answer = readRepository(body, host);
    const reading = {
      hostRepositoryId: String(answer.id),
      hostOwnerId: answer.owner ? String(answer.owner.id) : null,
      repository: answer.full_name,
      description: cleanText(answer.description, DESCRIPTION_LENGTH),
      topics: cleanTopics(answer.topics),
      homepage: cleanUrl(answer.website),
      license: cleanText(answer.licenses?.join(' AND '), 200),
      statesLicense: true,
      stars: cleanCount(answer.stars_count),
      forks: cleanCount(answer.forks_count),
      openIssues: cleanCount(answer.open_issues_count),
      lastCommitAt: null,
      createdAt: cleanTime(answer.created_at),
      archived: answer.archived ?? null,
      forkOf: answer.parent?.full_name ?? null,
    };
    const branch = cleanText(answer.default_branch, 250);
    if (branch === null) return { reading, lastCommit: null, owner: null };
    const path = `/repos/${escapePath(answer.full_name)}/branches/${escapePath(branch)}`;
    const read = (text: string) => cleanTime(readBranch(text, host).commit?.timestamp);
    return { reading, lastCommit: { path, read }, owner: null };
  },
};

const readAccount = createAnswerParser({
  type: 'object',
  required: ['id', 'login'],
  properties: {
    id: ID_SCHEMA,
    login: { type: 'string', minLength: 1, maxLength: 100 },
    created: optionalSchema('string'),
    full_name: optionalSchema('string'),
    description: optionalSchema('string'),
    website: optionalSchema('string'),
  },
});

const readOrganisation = createAnswerParser({
  type: 'object',
  required: ['id', 'name'],
  properties: { id: ID_SCHEMA, name: { type: 'string', minLength: 1, maxLength: 100 } },
});

/**
 * Reads `GET /users/{name}` of Forgejo and Gitea, which also answers for organisations. A second request tells whether
 * the account is an organisation.
 */
export const forgejoAccount: AccountReader = async (from, handle) => {
  const user = readAccount((await from.request(`/users/${encodeURIComponent(handle)}`)).body, from.host);
  const name = encodeURIComponent(user.login);
  const account = {
    hostAccountId: String(user.id),
    createdAt: cleanTime(user.created),
    handle: user.login,
    evidenceUrl: `https://${from.host}/${name}`,
    facts: null,
    texts: [user.full_name, user.description, user.website],
  };
  const answer = await from.request(`/orgs/${name}`).catch(ignoreNotFound);
  if (answer === null) {
    const files = codeRepositories(user.login).map(
      (repository) => `/repos/${name}/${encodeURIComponent(repository)}/raw/${CODE_FILE}`,
    );
    return {
      ...account,
      isOrganisation: false,
      website: null,
      secondPlace: codeInFiles(from, files, 'text/plain'),
    };
  }
  const own = readOrganisation(answer.body, from.host);
  requireSameAccount(account, { hostAccountId: String(own.id), handle: own.name }, from.host);
  return { ...account, isOrganisation: true, website: user.website ?? null, secondPlace: null };
};

function ignoreNotFound(error: unknown): null {
  if (error instanceof HostFailure && error.kind === 'not_found') return null;
  throw error;
}
