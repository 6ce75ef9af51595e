import { requireSameAccount } from '../host-account.ts';
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
    homepage: optionalSchema('string'),
    topics: OPTIONAL_STRINGS,
    license: { type: ['object', 'null'], properties: { spdx_id: optionalSchema('string') } },
    stargazers_count: optionalSchema('number'),
    forks_count: optionalSchema('number'),
    open_issues_count: optionalSchema('number'),
    pushed_at: optionalSchema('string'),
    created_at: optionalSchema('string'),
    archived: optionalSchema('boolean'),
    fork: optionalSchema('boolean'),
    parent: {
      type: ['object', 'null'],
      required: ['full_name'],
      properties: { full_name: { type: 'string', maxLength: 201 } },
    },
  },
});

/** Reads GitHub's `GET /repos/{owner}/{repo}`. A push to any branch counts as the last commit. */
export const githubRepository: RepositoryReader = {
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
      homepage: cleanUrl(answer.homepage),
      license: cleanText(answer.license?.spdx_id, 100),
      statesLicense: true,
      stars: cleanCount(answer.stargazers_count),
      forks: cleanCount(answer.forks_count),
      openIssues: cleanCount(answer.open_issues_count),
      lastCommitAt: cleanTime(answer.pushed_at),
      createdAt: cleanTime(answer.created_at),
      archived: answer.archived ?? null,
      forkOf: answer.fork === true ? (answer.parent?.full_name ?? null) : null,
    };
    return { reading, lastCommit: null, owner: null };
  },
};

const readAccount = createAnswerParser({
  type: 'object',
  required: ['id', 'login'],
  properties: {
    id: ID_SCHEMA,
    login: { type: 'string', minLength: 1, maxLength: 100 },
    type: optionalSchema('string'),
    created_at: optionalSchema('string'),
    name: optionalSchema('string'),
    bio: optionalSchema('string'),
    blog: optionalSchema('string'),
    company: optionalSchema('string'),
    description: optionalSchema('string'),
  },
});

const RAW = 'application/vnd.github.raw+json';

/** Reads GitHub's `GET /users/{login}`. For an organisation, the description needs a second request. */
export const githubAccount: AccountReader = async (from, handle) => {
  const user = readAccount((await from.request(`/users/${encodeURIComponent(handle)}`)).body, from.host);
  const name = encodeURIComponent(user.login);
  const isOrganisation = user.type !== 'User';
  const account = {
    hostAccountId: String(user.id),
    createdAt: cleanTime(user.created_at),
    handle: user.login,
    isOrganisation,
    evidenceUrl: `https://${from.host}/${name}`,
    facts: null,
  };
  const texts = [user.name, user.bio, user.blog, user.company];
  if (!isOrganisation) {
    const files = codeRepositories(user.login).map(
      (repository) => `/repos/${name}/${encodeURIComponent(repository)}/contents/${CODE_FILE}`,
    );
    return { ...account, texts, website: null, secondPlace: codeInFiles(from, files, RAW) };
  }
  if (user.type !== 'Organization') return { ...account, texts, website: null, secondPlace: null };
  const own = readAccount((await from.request(`/orgs/${name}`)).body, from.host);
  requireSameAccount(account, { hostAccountId: String(own.id), handle: own.login }, from.host);
  return { ...account, texts: [...texts, own.description], website: user.blog ?? null, secondPlace: null };
};
