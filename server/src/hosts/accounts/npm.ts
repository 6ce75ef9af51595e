import { answerReader, OPTIONAL_TEXTS, optional } from '../answer-reader.ts';
import { HostFailure } from '../host-failure.ts';
import { isSameHandle } from '../same-account.ts';
import { type AccountReader, type AskedHost, carries, passOver } from './account-reader.ts';

const readFound = answerReader({
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
              date: optional('string'),
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

const readVersion = answerReader({
  type: 'object',
  required: ['name'],
  properties: {
    name: { type: 'string', minLength: 1, maxLength: 214 },
    description: optional('string'),
    keywords: OPTIONAL_TEXTS,
    _npmUser: { type: ['object', 'null'], properties: { name: optional('string') } },
  },
});

const NEWEST = 10;

/**
 * An npm user, by the packages that it maintains. The code counts in the description or the keywords of a newest version
 * that the user published itself: anyone can name another user as a maintainer, but not publish for them. npm gives a
 * user's name to nobody else, so it is the id.
 */
export const npmAccount: AccountReader = async (from, handle) => {
  const user = handle.toLowerCase();
  const path = `/-/v1/search?text=${encodeURIComponent(`maintainer:${user}`)}&size=50`;
  const packages = readFound((await from.ask(path)).body, from.host).objects.map((object) => object.package);
  const own = packages.filter(({ maintainers }) =>
    maintainers?.some(({ username }) => isSameHandle(username, user)),
  );
  if (own.length === 0) throw new HostFailure('not_found', `${from.host} shows no package of that user.`);
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
    elsewhere: { place: 'package', carries: (code) => oneCarries(from, user, code, names) },
  };
};

async function oneCarries(from: AskedHost, user: string, code: string, names: readonly string[]) {
  for (const asked of names) {
    const answer = await from.ask(`/${encodeURIComponent(asked)}/latest`).catch(passOver);
    if (answer === null) continue;
    const { name, description, keywords, _npmUser } = readVersion(answer.body, from.host);
    // Of old packages, names that differ in capitals alone are different packages.
    const isOwn = name === asked && isSameHandle(_npmUser?.name, user);
    if (isOwn && carries(code, [description, ...(keywords ?? [])])) return true;
  }
  return false;
}
