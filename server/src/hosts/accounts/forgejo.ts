import { answerReader, ID, optional } from '../answer-reader.ts';
import { cleanText, moment } from '../clean-values.ts';
import { type AccountReader, CODE_FILE, carries, codeRepositories, fileCarries } from './account-reader.ts';

interface Answer {
  id: number | string;
  login: string;
  created?: string | null;
  full_name?: string | null;
  description?: string | null;
  website?: string | null;
}

const readAnswer = answerReader<Answer>({
  type: 'object',
  required: ['id', 'login'],
  properties: {
    id: ID,
    login: { type: 'string', minLength: 1, maxLength: 100 },
    created: optional('string'),
    full_name: optional('string'),
    description: optional('string'),
    website: optional('string'),
  },
});

/** Forgejo's and Gitea's `GET /users/{name}`, which tells of organisations too. */
export const forgejoAccount: AccountReader = async (from, handle, code) => {
  const name = encodeURIComponent(handle);
  const user = readAnswer((await from.ask(`/users/${name}`)).body, from.host);
  const texts = [user.full_name, user.description, user.website];
  const files = codeRepositories(handle).map(
    (repository) => `/repos/${name}/${encodeURIComponent(repository)}/raw/${CODE_FILE}`,
  );
  return {
    hostAccountId: String(user.id),
    createdAt: moment(user.created),
    handle: cleanText(user.login, 100) ?? handle,
    carriesCode: carries(code, texts) || (await fileCarries(from, code, files, 'text/plain')),
    evidenceUrl: `https://${from.host}/${name}`,
    facts: null,
  };
};
