import {
  cleanText,
  cleanTime,
  cleanUrl,
  createAnswerParser,
  ID_SCHEMA,
  optionalSchema,
} from '../untrusted-answers.ts';
import type { AccountReader } from './account-reader.ts';
import { DESCRIPTION_LENGTH, escapePath, type RepositoryReader } from './repository-reading.ts';

const readRepository = createAnswerParser({
  type: 'object',
  required: ['uuid', 'full_name'],
  properties: {
    uuid: ID_SCHEMA,
    full_name: { type: 'string', maxLength: 201 },
    workspace: { type: ['object', 'null'], required: ['uuid'], properties: { uuid: ID_SCHEMA } },
    description: optionalSchema('string'),
    website: optionalSchema('string'),
    created_on: optionalSchema('string'),
    parent: { type: ['object', 'null'], properties: { full_name: optionalSchema('string') } },
  },
});

const readCommits = createAnswerParser({
  type: 'object',
  properties: {
    values: {
      type: ['array', 'null'],
      items: { type: 'object', properties: { date: optionalSchema('string') } },
    },
  },
});

/** Reads Bitbucket's `GET /repositories/{workspace}/{repo}`, which has no stars, licence or archived flag. */
export const bitbucketRepository: RepositoryReader = {
  pathByName: (repository) => `/repositories/${escapePath(repository)}`,
  pathById: (id) => `/repositories/${encodeURIComponent('{}')}/${encodeURIComponent(id)}`,
  read(body, host) {
    const answer = readRepository(body, host);
    const reading = {
      hostRepositoryId: String(answer.uuid),
      hostOwnerId: answer.workspace ? String(answer.workspace.uuid) : null,
      repository: answer.full_name,
      description: cleanText(answer.description, DESCRIPTION_LENGTH),
      topics: [],
      homepage: cleanUrl(answer.website),
      license: null,
      statesLicense: false,
      stars: null,
      forks: null,
      openIssues: null,
      lastCommitAt: null,
      createdAt: cleanTime(answer.created_on),
      archived: null,
      forkOf: answer.parent?.full_name ?? null,
    };
    const path = `/repositories/${escapePath(answer.full_name)}/commits?pagelen=1`;
    const read = (commits: string) => cleanTime(readCommits(commits, host).values?.[0]?.date);
    return { reading, lastCommit: { path, read }, owner: null };
  },
};

const readWorkspace = createAnswerParser({
  type: 'object',
  required: ['uuid', 'slug'],
  properties: {
    uuid: ID_SCHEMA,
    slug: { type: 'string', minLength: 1, maxLength: 100 },
    name: optionalSchema('string'),
    created_on: optionalSchema('string'),
  },
});

/**
 * Reads a Bitbucket workspace. It counts as an organisation: it can have members, and nothing distinguishes a person's
 * workspace from a team's. Its name is the only text shown, and only its owners can write it.
 */
export const bitbucketAccount: AccountReader = async (from, handle) => {
  const answer = await from.request(`/workspaces/${encodeURIComponent(handle)}`);
  const { uuid, slug, name, created_on } = readWorkspace(answer.body, from.host);
  return {
    hostAccountId: String(uuid),
    createdAt: cleanTime(created_on),
    handle: slug,
    isOrganisation: true,
    evidenceUrl: `https://${from.host}/${encodeURIComponent(slug)}`,
    facts: null,
    texts: [name],
    website: null,
    secondPlace: null,
  };
};
