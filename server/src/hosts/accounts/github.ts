import { createAnswerParser, ID_SCHEMA, optionalSchema } from '../answer-parser.ts';
import { cleanTime } from '../clean-values.ts';
import { requireSameAccount } from '../host-account.ts';
import { type AccountReader, CODE_FILE, codeInFiles, codeRepositories } from './account-reader.ts';

const readAnswer = createAnswerParser({
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

/** Reads GitHub's `GET /users/{login}`; the description of an organisation needs a second request. */
export const githubAccount: AccountReader = async (from, handle) => {
  const user = readAnswer((await from.request(`/users/${encodeURIComponent(handle)}`)).body, from.host);
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
  const own = readAnswer((await from.request(`/orgs/${name}`)).body, from.host);
  requireSameAccount(account, { hostAccountId: String(own.id), handle: own.login }, from.host);
  return { ...account, texts: [...texts, own.description], website: user.blog ?? null, secondPlace: null };
};
