import { answerReader, ID, OPTIONAL_TEXTS, optional } from '../answer-reader.ts';
import { cleanText, count, link, moment } from '../clean-values.ts';
import { DESCRIPTION_LENGTH, pathOf, type RepositoryReader, topicsOf } from '../repository-reading.ts';

const readAnswer = answerReader({
  type: 'object',
  required: ['id', 'full_name'],
  properties: {
    id: ID,
    full_name: { type: 'string', maxLength: 201 },
    owner: { type: ['object', 'null'], required: ['id'], properties: { id: ID } },
    description: optional('string'),
    homepage: optional('string'),
    topics: OPTIONAL_TEXTS,
    license: { type: ['object', 'null'], properties: { spdx_id: optional('string') } },
    stargazers_count: optional('number'),
    forks_count: optional('number'),
    open_issues_count: optional('number'),
    pushed_at: optional('string'),
    created_at: optional('string'),
    archived: optional('boolean'),
    fork: optional('boolean'),
    parent: {
      type: ['object', 'null'],
      required: ['full_name'],
      properties: { full_name: { type: 'string', maxLength: 201 } },
    },
  },
});

/** GitHub's `GET /repos/{owner}/{repo}`; a push to any branch counts as its last commit. */
export const githubRepository: RepositoryReader = {
  pathByName: (repository) => `/repos/${pathOf(repository)}`,
  pathById: (id) => `/repositories/${encodeURIComponent(id)}`,
  read(body, host) {
    const answer = readAnswer(body, host);
    const reading = {
      hostRepositoryId: String(answer.id),
      hostOwnerId: answer.owner ? String(answer.owner.id) : null,
      repository: answer.full_name,
      description: cleanText(answer.description, DESCRIPTION_LENGTH),
      topics: topicsOf(answer.topics),
      homepage: link(answer.homepage),
      license: cleanText(answer.license?.spdx_id, 100),
      statesLicense: true,
      stars: count(answer.stargazers_count),
      forks: count(answer.forks_count),
      openIssues: count(answer.open_issues_count),
      lastCommitAt: moment(answer.pushed_at),
      createdAt: moment(answer.created_at),
      archived: answer.archived ?? null,
      forkOf: answer.fork === true ? (answer.parent?.full_name ?? null) : null,
    };
    return { reading, lastCommit: null, owner: null };
  },
};
