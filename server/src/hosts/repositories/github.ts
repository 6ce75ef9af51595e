import { createAnswerParser, ID_SCHEMA, OPTIONAL_STRINGS, optionalSchema } from '../answer-parser.ts';
import { cleanCount, cleanText, cleanTime, cleanUrl } from '../clean-values.ts';
import { cleanTopics, DESCRIPTION_LENGTH, escapePath, type RepositoryReader } from './repository-reading.ts';

const readAnswer = createAnswerParser({
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

/** Reads GitHub's `GET /repos/{owner}/{repo}`; a push to any branch counts as the last commit. */
export const githubRepository: RepositoryReader = {
  pathByName: (repository) => `/repos/${escapePath(repository)}`,
  pathById: (id) => `/repositories/${encodeURIComponent(id)}`,
  read(body, host) {
    const answer = readAnswer(body, host);
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
