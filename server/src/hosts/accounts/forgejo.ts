import { answerReader, ID, optional } from '../answer-reader.ts';
import { moment } from '../clean-values.ts';
import { HostFailure } from '../host-failure.ts';
import { requireSameAccount } from '../same-account.ts';
import { type AccountReader, CODE_FILE, codeRepositories, inFiles } from './account-reader.ts';

const readAnswer = answerReader({
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

const readOrganisation = answerReader({
  type: 'object',
  required: ['id', 'name'],
  properties: { id: ID, name: { type: 'string', minLength: 1, maxLength: 100 } },
});

/** Forgejo's and Gitea's `GET /users/{name}`, which tells of organisations too; what it is, another record tells. */
export const forgejoAccount: AccountReader = async (from, handle) => {
  const user = readAnswer((await from.ask(`/users/${encodeURIComponent(handle)}`)).body, from.host);
  const name = encodeURIComponent(user.login);
  const account = {
    hostAccountId: String(user.id),
    createdAt: moment(user.created),
    handle: user.login,
    evidenceUrl: `https://${from.host}/${name}`,
    facts: null,
    texts: [user.full_name, user.description, user.website],
  };
  const answer = await from.ask(`/orgs/${name}`).catch(nullWhereUnknown);
  if (answer === null) {
    const files = codeRepositories(user.login).map(
      (repository) => `/repos/${name}/${encodeURIComponent(repository)}/raw/${CODE_FILE}`,
    );
    return {
      ...account,
      isOrganisation: false,
      website: null,
      elsewhere: inFiles(from, files, 'text/plain'),
    };
  }
  const own = readOrganisation(answer.body, from.host);
  requireSameAccount(account, { hostAccountId: String(own.id), handle: own.name }, from.host);
  return { ...account, isOrganisation: true, website: user.website ?? null, elsewhere: null };
};

function nullWhereUnknown(error: unknown): null {
  if (error instanceof HostFailure && error.kind === 'not_found') return null;
  throw error;
}
