import { answerReader, ID, optional } from '../answer-reader.ts';
import { cleanText, link, moment } from '../clean-values.ts';
import { DESCRIPTION_LENGTH, pathOf, type RepositoryReader } from '../repository-reading.ts';

const readAnswer = answerReader({
  type: 'object',
  required: ['uuid', 'full_name'],
  properties: {
    uuid: ID,
    full_name: { type: 'string', maxLength: 201 },
    workspace: { type: ['object', 'null'], required: ['uuid'], properties: { uuid: ID } },
    description: optional('string'),
    website: optional('string'),
    created_on: optional('string'),
    parent: { type: ['object', 'null'], properties: { full_name: optional('string') } },
  },
});

const readCommits = answerReader({
  type: 'object',
  properties: {
    values: {
      type: ['array', 'null'],
      items: { type: 'object', properties: { date: optional('string') } },
    },
  },
});

/** Bitbucket's `GET /repositories/{workspace}/{repo}`. It has no stars, and states no licence and no archiving. */
export const bitbucketRepository: RepositoryReader = {
  pathByName: (repository) => `/repositories/${pathOf(repository)}`,
  pathById: (id) => `/repositories/${encodeURIComponent('{}')}/${encodeURIComponent(id)}`,
  read(body, host) {
    const answer = readAnswer(body, host);
    const reading = {
      hostRepositoryId: String(answer.uuid),
      hostOwnerId: answer.workspace ? String(answer.workspace.uuid) : null,
      repository: answer.full_name,
      description: cleanText(answer.description, DESCRIPTION_LENGTH),
      topics: [],
      homepage: link(answer.website),
      license: null,
      statesLicense: false,
      stars: null,
      forks: null,
      openIssues: null,
      lastCommitAt: null,
      createdAt: moment(answer.created_on),
      archived: null,
      forkOf: answer.parent?.full_name ?? null,
    };
    const path = `/repositories/${pathOf(answer.full_name)}/commits?pagelen=1`;
    const read = (commits: string) => moment(readCommits(commits, host).values?.[0]?.date);
    return { reading, lastCommit: { path, read }, owner: null };
  },
};
