import { createAnswerParser, ID_SCHEMA, optionalSchema } from '../answer-parser.ts';
import { cleanTime } from '../clean-values.ts';
import { HostFailure, requireSameAccount } from '../host-account.ts';
import { type AccountReader, CODE_FILE, codeInFiles, codeRepositories } from './account-reader.ts';

const readAnswer = createAnswerParser({
  type: 'object',
  required: ['id', 'login'],
  properties: {
    id: ID_SCHEMA,
    login: { type: 'string', minLength: 1, maxLength: 100 },
    created: optionalSchema('string'),
    full_name: optionalSchema('string'),
    description: optionalSchema('string'),
    website: optionalSchema('string'),
  },
});

const readOrganisation = createAnswerParser({
  type: 'object',
  required: ['id', 'name'],
  properties: { id: ID_SCHEMA, name: { type: 'string', minLength: 1, maxLength: 100 } },
});

/**
 * Reads `GET /users/{name}` of Forgejo and Gitea, which includes organisations; a second request distinguishes those.
 */
export const forgejoAccount: AccountReader = async (from, handle) => {
  const user = readAnswer((await from.request(`/users/${encodeURIComponent(handle)}`)).body, from.host);
  const name = encodeURIComponent(user.login);
  const account = {
    hostAccountId: String(user.id),
    createdAt: cleanTime(user.created),
    handle: user.login,
    evidenceUrl: `https://${from.host}/${name}`,
    facts: null,
    texts: [user.full_name, user.description, user.website],
  };
  const answer = await from.request(`/orgs/${name}`).catch(ignoreNotFound);
  if (answer === null) {
    const files = codeRepositories(user.login).map(
      (repository) => `/repos/${name}/${encodeURIComponent(repository)}/raw/${CODE_FILE}`,
    );
    return {
      ...account,
      isOrganisation: false,
      website: null,
      secondPlace: codeInFiles(from, files, 'text/plain'),
    };
  }
  const own = readOrganisation(answer.body, from.host);
  requireSameAccount(account, { hostAccountId: String(own.id), handle: own.name }, from.host);
  return { ...account, isOrganisation: true, website: user.website ?? null, secondPlace: null };
};

function ignoreNotFound(error: unknown): null {
  if (error instanceof HostFailure && error.kind === 'not_found') return null;
  throw error;
}
