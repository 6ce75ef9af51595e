import { answerReader, OPTIONAL_TEXTS, optional } from '../answer-reader.ts';
import { HostFailure } from '../host-failure.ts';
import { type AccountReader, type AskedHost, carries, passOver } from './account-reader.ts';

interface Found {
  objects: { package: { name: string; date?: string | null; maintainers?: { username: string }[] | null } }[];
}

const readFound = answerReader<Found>({
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

interface Version {
  description?: string | null;
  keywords?: string[] | null;
  _npmUser?: { name?: string | null } | null;
}

const readVersion = answerReader<Version>({
  type: 'object',
  properties: {
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
export const npmAccount: AccountReader = async (from, handle, code) => {
  const user = handle.toLowerCase();
  const path = `/-/v1/search?text=${encodeURIComponent(`maintainer:${user}`)}&size=50`;
  const packages = readFound((await from.ask(path)).body, from.host).objects.map((object) => object.package);
  const own = packages.filter(({ maintainers }) => maintainers?.some(({ username }) => same(username, user)));
  if (own.length === 0) throw new HostFailure('not_found', `${from.host} shows no package of that user.`);
  own.sort((a, b) => (b.date ?? '').localeCompare(a.date ?? ''));
  const names = own.slice(0, NEWEST).map(({ name }) => name);
  return {
    hostAccountId: user,
    createdAt: null,
    handle: user,
    carriesCode: code !== null && (await oneCarries(from, user, code, names)),
    evidenceUrl: `https://www.npmjs.com/~${encodeURIComponent(user)}`,
    facts: null,
  };
};

async function oneCarries(from: AskedHost, user: string, code: string, names: readonly string[]) {
  for (const name of names) {
    const answer = await from.ask(`/${encodeURIComponent(name)}/latest`).catch(passOver);
    if (answer === null) continue;
    const { description, keywords, _npmUser } = readVersion(answer.body, from.host);
    if (same(_npmUser?.name, user) && carries(code, [description, ...(keywords ?? [])])) return true;
  }
  return false;
}

function same(name: string | null | undefined, user: string): boolean {
  return name?.toLowerCase() === user;
}
