import { answerReader, ID, optional } from '../answer-reader.ts';
import { cleanText, moment } from '../clean-values.ts';
import { type AccountReader, CODE_FILE, carries, codeRepositories, fileCarries } from './account-reader.ts';

interface Answer {
  id: number | string;
  login: string;
  type?: string | null;
  created_at?: string | null;
  name?: string | null;
  bio?: string | null;
  blog?: string | null;
  company?: string | null;
  description?: string | null;
}

const readAnswer = answerReader<Answer>({
  type: 'object',
  required: ['id', 'login'],
  properties: {
    id: ID,
    login: { type: 'string', minLength: 1, maxLength: 100 },
    type: optional('string'),
    created_at: optional('string'),
    name: optional('string'),
    bio: optional('string'),
    blog: optional('string'),
    company: optional('string'),
    description: optional('string'),
  },
});

const RAW = 'application/vnd.github.raw+json';

/** GitHub's `GET /users/{login}`; an organisation's own description stands in another record. */
export const githubAccount: AccountReader = async (from, handle, code) => {
  const name = encodeURIComponent(handle);
  const user = readAnswer((await from.ask(`/users/${name}`)).body, from.host);
  const isOrganisation = user.type === 'Organization' && code !== null;
  const profile = isOrganisation ? readAnswer((await from.ask(`/orgs/${name}`)).body, from.host) : user;
  const texts = [user.name, user.bio, user.blog, user.company, profile.description];
  const files = codeRepositories(handle).map(
    (repository) => `/repos/${name}/${encodeURIComponent(repository)}/contents/${CODE_FILE}`,
  );
  return {
    hostAccountId: String(user.id),
    createdAt: moment(user.created_at),
    handle: cleanText(user.login, 100) ?? handle,
    carriesCode: carries(code, texts) || (await fileCarries(from, code, files, RAW)),
    evidenceUrl: `https://${from.host}/${name}`,
    facts: null,
  };
};
