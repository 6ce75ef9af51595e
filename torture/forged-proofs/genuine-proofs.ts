import { GENUINE_LISTINGS } from './doubtful-listings.ts';
import { type Forgery, published } from './forgery.ts';

/**
 * Genuine proofs of every kind. Each is tried like a forgery and must be accepted: otherwise a server that refuses
 * everything would pass.
 */
export const GENUINE_PROOFS: readonly Forgery[] = [
  ...(
    [
      ['repo_host', 'github.com', 'github'],
      ['repo_host', 'gitlab.com', 'gitlab'],
      ['repo_host', 'codeberg.org', 'forgejo'],
      ['social', 'bluesky', 'bluesky'],
      ['social', 'mastodon.social', 'mastodon'],
      ['messaging', 'telegram', 'telegram'],
    ] as const
  ).map(([kind, host, api]) =>
    published('profile text', { kind, host }, ({ world, victim }, profile) => {
      world.standIn.world.account({ api, handle: victim, profile });
    }),
  ),
  ...(
    [
      ['github.com', 'github'],
      ['gitlab.com', 'gitlab'],
      ['codeberg.org', 'forgejo'],
    ] as const
  ).map(([host, api]) =>
    published('a person’s file', { kind: 'repo_host', host }, ({ world, victim }, code) => {
      world.standIn.world.account({ api, handle: victim });
      const files = { 'trust-directory.txt': code };
      world.standIn.world.repository({ api, name: `${victim}/trust-directory`, files });
    }),
  ),
  ...(
    [
      ['github.com', 'github'],
      ['gitlab.com', 'gitlab'],
      ['codeberg.org', 'forgejo'],
      ['bitbucket.org', 'bitbucket'],
    ] as const
  ).map(([host, api]) =>
    published('an organisation’s profile text', { kind: 'repo_host', host }, ({ world, victim }, profile) => {
      world.standIn.world.account({ api, handle: victim, profile, isOrganisation: true });
    }),
  ),
  published('an organisation’s DNS record', { kind: 'repo_host', host: 'github.com' }, (attempt, code) => {
    const domain = `genuine-${attempt.number}.example`;
    const website = `https://www.${domain}/`;
    attempt.world.standIn.world.account({ handle: attempt.victim, isOrganisation: true, website });
    attempt.world.textRecords.set(`_trust-directory.${domain}`, [code]);
  }),
  published(
    'a version of the user’s',
    { kind: 'node_packages', host: 'npmjs.com' },
    (attempt, description) => {
      const { world, number, victim } = attempt;
      world.standIn.world.package({ api: 'npm', name: `own-${number}`, users: [victim], description });
    },
  ),
  published(
    'a project of the user’s',
    { kind: 'python_packages', host: 'pypi.org' },
    (attempt, description) => {
      const { world, number, victim } = attempt;
      world.standIn.world.package({ api: 'pypi', name: `own-${number}`, users: [victim], description });
    },
  ),
  ...GENUINE_LISTINGS,
];
