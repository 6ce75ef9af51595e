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
    website: optional('string'),
    topics: OPTIONAL_TEXTS,
    licenses: OPTIONAL_TEXTS,
    stars_count: optional('number'),
    forks_count: optional('number'),
    open_issues_count: optional('number'),
    created_at: optional('string'),
    archived: optional('boolean'),
    default_branch: optional('string'),
    parent: { type: ['object', 'null'], properties: { full_name: optional('string') } },
  },
});

const readBranch = answerReader({
  type: 'object',
  properties: {
    commit: { type: ['object', 'null'], properties: { timestamp: optional('string') } },
  },
});

/** Forgejo's and Gitea's `GET /repos/{owner}/{repo}`. Its `updated_at` moves on settings too, so the branch is asked. */
export const forgejoRepository: RepositoryReader = {
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
      homepage: link(answer.website),
      license: cleanText(answer.licenses?.join(' AND '), 200),
      statesLicense: true,
      stars: count(answer.stars_count),
      forks: count(answer.forks_count),
      openIssues: count(answer.open_issues_count),
      lastCommitAt: null,
      createdAt: moment(answer.created_at),
      archived: answer.archived ?? null,
      forkOf: answer.parent?.full_name ?? null,
    };
    const branch = cleanText(answer.default_branch, 250);
    if (branch === null) return { reading, lastCommit: null, owner: null };
    const path = `/repos/${pathOf(answer.full_name)}/branches/${pathOf(branch)}`;
    const read = (text: string) => moment(readBranch(text, host).commit?.timestamp);
    return { reading, lastCommit: { path, read }, owner: null };
  },
};
