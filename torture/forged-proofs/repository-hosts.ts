import { type Attempt, type Forgery, gainOf, published } from './forgery.ts';

type Api = 'github' | 'gitlab' | 'forgejo' | 'bitbucket';
const HOSTS: readonly (readonly [Api, string])[] = [
  ['github', 'github.com'],
  ['gitlab', 'gitlab.com'],
  ['forgejo', 'codeberg.org'],
];
const CODE_FILE = 'trust-directory.txt';

const person = ({ world, victim }: Attempt, api: Api, changes = {}) =>
  world.standIn.world.account({ api, handle: victim, ...changes });

/** Adds a repository with these files. */
function repository({ world }: Attempt, api: Api, name: string, files: Record<string, string>, changes = {}) {
  return world.standIn.world.repository({ api, name, files, ...changes });
}

/** Forgeries of a person's account, once per host. */
const OF_A_PERSON = HOSTS.flatMap(([api, host]): Forgery[] => {
  const on = { kind: 'repo_host', host } as const;
  return [
    published('code in the profile of another account', on, (attempt, code) => {
      person(attempt, api);
      attempt.world.standIn.world.account({ api, handle: attempt.attacker, profile: code });
    }),
    published('code in the profile of a look-alike handle', on, (attempt, code) => {
      person(attempt, api);
      attempt.world.standIn.world.account({ api, handle: attempt.victim.replace('i', 'l'), profile: code });
    }),
    published('code in the file of another account', on, (attempt, code) => {
      person(attempt, api);
      repository(attempt, api, `${attempt.attacker}/trust-directory`, { [CODE_FILE]: code });
    }),
    published('code in a fork of the account’s repository', on, (attempt, code) => {
      person(attempt, api);
      const name = `${attempt.victim}/trust-directory`;
      repository(attempt, api, name, {});
      repository(
        attempt,
        api,
        `${attempt.attacker}/trust-directory`,
        { [CODE_FILE]: code },
        { forkOf: name },
      );
    }),
    published('code on a branch of a pull request', on, (attempt, code) => {
      person(attempt, api);
      const files = { [`refs/pull/1/head:${CODE_FILE}`]: code };
      repository(attempt, api, `${attempt.victim}/trust-directory`, files);
    }),
    published('code in another repository of the account, where others commit', on, (attempt, code) => {
      person(attempt, api);
      repository(attempt, api, `${attempt.victim}/popular-project`, { [CODE_FILE]: code });
    }),
    published('code in another file of the account’s repository', on, (attempt, code) => {
      person(attempt, api);
      const files = { 'README.md': code, 'issues.txt': code, 'docs-trust-directory.txt': code };
      repository(attempt, api, `${attempt.victim}/trust-directory`, files);
    }),
    published('file of a repository that was given away', on, (attempt, code) => {
      person(attempt, api);
      const formerNames = [`${attempt.victim}/trust-directory`];
      repository(attempt, api, `${attempt.attacker}/kept`, { [CODE_FILE]: code }, { formerNames });
    }),
    published('redirect to the attacker’s profile', on, ({ world, attacker }, code) => {
      world.standIn.world.account({ api, handle: attacker, profile: code });
      const location = `/${api}/users/${attacker}`;
      world.standIn.trouble({ kind: 'answer', status: 301, headers: { location } });
    }),
    published('redirect to the attacker’s file', on, (attempt, code) => {
      person(attempt, api);
      repository(attempt, api, `${attempt.attacker}/trust-directory`, { [CODE_FILE]: code });
      const location = `/${api}/repos/${attempt.attacker}/trust-directory/contents/${CODE_FILE}`;
      let asked = 0;
      attempt.world.standIn.onRequest(async (path) => {
        if (!/trust-directory/.test(path) || asked > 0) return;
        asked += 1;
        attempt.world.standIn.trouble({ kind: 'answer', status: 302, headers: { location } });
      });
    }),
    published('a profile that changes hands while its file is read', on, (attempt, code) => {
      const account = person(attempt, api);
      repository(attempt, api, `${attempt.victim}/trust-directory`, { [CODE_FILE]: code });
      attempt.world.standIn.onRequest(async (path) => {
        if (path.includes(CODE_FILE) || path.includes(encodeURIComponent(CODE_FILE))) account.id = '999999';
      });
    }),
  ];
});

/** Forgeries of an organisation that the attacker is a member of, once per host. */
const OF_AN_ORGANISATION = [...HOSTS, ['bitbucket', 'bitbucket.org'] as const].flatMap(
  ([api, host]): Forgery[] => {
    const on = { kind: 'repo_host', host } as const;
    return ['trust-directory', ''].map((name) =>
      published(
        `a member’s file in the organisation’s repository ${name || 'of its own name'}`,
        on,
        (attempt, code) => {
          person(attempt, api, { isOrganisation: true });
          const files = { [CODE_FILE]: code };
          repository(attempt, api, `${attempt.victim}/${name || attempt.victim}`, files);
        },
      ),
    );
  },
);

/** Responses of a host that contain the code but describe another account than the requested one. */
const OTHER_ANSWERS: readonly (readonly [string, string, (handle: string, code: string) => object])[] = [
  ['github.com', 'github', (login, bio) => ({ id: 5, login, type: 'User', bio })],
  ['codeberg.org', 'forgejo', (login, description) => ({ id: 5, login, description })],
  ['bitbucket.org', 'bitbucket', (slug, name) => ({ uuid: '{5}', slug, name })],
  ['gitlab.com', 'gitlab', (username, bio) => [{ id: 5, username, bio, name: bio }]],
];

const OF_AN_ANSWER = OTHER_ANSWERS.map(([host, , answer]) =>
  published('an answer about another account', { kind: 'repo_host', host }, ({ world, attacker }, code) => {
    const body = JSON.stringify(answer(attacker, code));
    world.standIn.trouble({ kind: 'answer', status: 200, body });
  }),
);

/** Spellings of a handle that a host, a path or Unicode could read as another account’s. */
const SPELLINGS: readonly (readonly [string, (attempt: Attempt) => string])[] = [
  ['the Kelvin sign for k', ({ victim }) => victim.replace('k', '\u212a')],
  ['a long s for s', ({ victim }) => victim.replace('s', '\u017f')],
  ['a Cyrillic letter', ({ victim }) => victim.replace('i', '\u0456')],
  ['a zero-width character', ({ victim }) => `${victim}\u200b`],
  ['a path that climbs', ({ victim, attacker }) => `${attacker}/../${victim}`],
  ['an encoded slash', ({ victim, attacker }) => `${attacker}%2f..%2f${victim}`],
  ['a query', ({ victim }) => `${victim}?tab=repositories`],
  ['a fragment', ({ victim, attacker }) => `${attacker}#${victim}`],
  ['a null byte', ({ victim }) => `${victim}\u0000x`],
  ['two at signs', ({ victim }) => `@@${victim}`],
  ['only dots', () => '..'],
  ['an address', ({ victim }) => `https://github.com/${victim}`],
];

const OF_A_SPELLING = SPELLINGS.flatMap(([name, spelling]) =>
  ['github.com', 'gitlab.com'].map((host) =>
    published(
      `a handle with ${name}`,
      { kind: 'repo_host', host },
      ({ world, attacker, victim }, code) => {
        const api = host === 'github.com' ? 'github' : 'gitlab';
        world.standIn.world.account({ api, handle: victim });
        // The attacker may have any handle of the host, so publish the code at every account to which such a spelling
        // could lead.
        world.standIn.world.account({ api, handle: attacker, profile: code });
        const files = { [CODE_FILE]: code };
        world.standIn.world.repository({ api, name: `${attacker}/trust-directory`, files });
      },
      spelling,
    ),
  ),
);

const OF_A_NUMBER: Forgery = published(
  'a group whose id is the number that another group is called',
  { kind: 'repo_host', host: 'gitlab.com' },
  ({ world, number }, code) => {
    const group = { api: 'gitlab', isOrganisation: true } as const;
    world.standIn.world.account({ ...group, handle: `${700_000 + number}` });
    world.standIn.world.account({ ...group, handle: 'attackers', id: `${700_000 + number}`, profile: code });
  },
  ({ number }) => `${700_000 + number}`,
);

const OF_A_SWAP: Forgery = {
  forged: 'the code of a link of the attacker’s own account, for the victim’s',
  where: 'github.com',
  async run({ world, person: attacker, attacker: own, victim }) {
    const at = { kind: 'repo_host', host: 'github.com' } as const;
    const ofOwn = await attacker.link({ ...at, handle: own });
    const ofVictim = await attacker.link({ ...at, handle: victim });
    world.standIn.world.account({ handle: own, profile: ofOwn.body.code });
    world.standIn.world.account({ handle: victim, profile: ofOwn.body.code });
    return gainOf(await attacker.verify(ofVictim.body.id));
  },
};

/** Forgeries of accounts on repository hosts. */
export const REPOSITORY_HOST_FORGERIES: readonly Forgery[] = [
  ...OF_A_PERSON,
  ...OF_AN_ORGANISATION,
  ...OF_AN_ANSWER,
  ...OF_A_SPELLING,
  OF_A_NUMBER,
  OF_A_SWAP,
];
