import { HostFailure, isSameHandle } from '../host-account.ts';
import { createAnswerParser, OPTIONAL_STRINGS, optionalSchema } from '../untrusted-answers.ts';
import { type AccountReader, containsCode, type HostApiClient, ignoreNoContent } from './account-reader.ts';

const readFound = createAnswerParser({
  type: 'object',
  required: ['objects'],
  properties: {
    objects: {
      type: 'array',
      items: {
        type: 'object',
        required: ['package'],
        properties: {
          package: {
            type: 'object',
            required: ['name'],
            properties: {
              name: { type: 'string', minLength: 1, maxLength: 214 },
              date: optionalSchema('string'),
              maintainers: {
                type: ['array', 'null'],
                items: {
                  type: 'object',
                  required: ['username'],
                  properties: { username: { type: 'string' } },
                },
              },
            },
          },
        },
      },
    },
  },
});

const readVersion = createAnswerParser({
  type: 'object',
  required: ['name'],
  properties: {
    name: { type: 'string', minLength: 1, maxLength: 214 },
    description: optionalSchema('string'),
    keywords: OPTIONAL_STRINGS,
    _npmUser: { type: ['object', 'null'], properties: { name: optionalSchema('string') } },
  },
});

const NEWEST = 10;

/**
 * Reads an npm user through the packages that the user maintains. The code of a proof counts only in the description
 * or keywords of a package's latest version, and only if the user published that version. Anyone can make another user
 * a maintainer, but cannot publish in that user's name. npm never reassigns a user name, so the name is the id.
 */
export const npmAccount: AccountReader = async (from, handle) => {
  const user = handle.toLowerCase();
  const path = `/-/v1/search?text=${encodeURIComponent(`maintainer:${user}`)}&size=50`;
  const packages = readFound((await from.request(path)).body, from.host).objects.map(
    (object) => object.package,
  );
  const own = packages.filter(({ maintainers }) =>
    maintainers?.some(({ username }) => isSameHandle(username, user)),
  );
  if (own.length === 0) throw new HostFailure('not_found', `${from.host} lists no package of that user.`);
  own.sort((a, b) => (b.date ?? '').localeCompare(a.date ?? ''));
  const names = own.slice(0, NEWEST).map(({ name }) => name);
  return {
    hostAccountId: user,
    createdAt: null,
    handle: user,
    isOrganisation: false,
    evidenceUrl: `https://www.npmjs.com/~${encodeURIComponent(user)}`,
    facts: null,
    texts: [],
    website: null,
    secondPlace: { place: 'package', carries: (code) => oneCarries(from, user, code, names) },
  };
};

async function oneCarries(from: HostApiClient, user: string, code: string, names: readonly string[]) {
  for (const asked of names) {
    const answer = await from.request(`/${encodeURIComponent(asked)}/latest`).catch(ignoreNoContent);
    if (answer === null) continue;
    const { name, description, keywords, _npmUser } = readVersion(answer.body, from.host);
    // Compare package names exactly, because the names of old packages may differ only in upper and lower case.
    const isOwn = name === asked && isSameHandle(_npmUser?.name, user);
    if (isOwn && containsCode(code, [description, ...(keywords ?? [])])) return true;
  }
  return false;
}
