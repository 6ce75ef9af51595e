import { answerReader, ID, optional } from '../answer-reader.ts';
import { moment } from '../clean-values.ts';
import { requireSameAccount } from '../same-account.ts';
import { type AccountReader, CODE_FILE, codeRepositories, inFiles } from './account-reader.ts';

const readAnswer = answerReader({
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
export const githubAccount: AccountReader = async (from, handle) => {
  const user = readAnswer((await from.ask(`/users/${encodeURIComponent(handle)}`)).body, from.host);
  const name = encodeURIComponent(user.login);
  const isOrganisation = user.type !== 'User';
  const account = {
    hostAccountId: String(user.id),
    createdAt: moment(user.created_at),
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
    return { ...account, texts, website: null, elsewhere: inFiles(from, files, RAW) };
  }
  if (user.type !== 'Organization') return { ...account, texts, website: null, elsewhere: null };
  const own = readAnswer((await from.ask(`/orgs/${name}`)).body, from.host);
  requireSameAccount(account, { hostAccountId: String(own.id), handle: own.login }, from.host);
  return { ...account, texts: [...texts, own.description], website: user.blog ?? null, elsewhere: null };
};
