import { type Forgery, published } from './forgery.ts';

const PLATFORMS = [
  ['social', 'bluesky', 'bluesky'],
  ['social', 'mastodon.social', 'mastodon'],
  ['messaging', 'telegram', 'telegram'],
] as const;

/** Forgeries of social and messaging accounts. */
export const PLATFORM_FORGERIES: readonly Forgery[] = [
  ...PLATFORMS.flatMap(([kind, host, api]): Forgery[] => [
    published(
      'code in the profile of another account',
      { kind, host },
      ({ world, victim, attacker }, code) => {
        world.standIn.world.account({ api, handle: victim });
        world.standIn.world.account({ api, handle: attacker, profile: code });
      },
    ),
    published('code in the profile of a look-alike handle', { kind, host }, ({ world, victim }, code) => {
      world.standIn.world.account({ api, handle: victim });
      world.standIn.world.account({ api, handle: victim.replace('i', 'l'), profile: code });
    }),
  ]),
  published(
    'an account of another server',
    { kind: 'social', host: 'mastodon.social' },
    ({ world, victim }, code) => {
      const body = JSON.stringify({ id: '7', acct: `${victim}@attacker.example`, note: code });
      world.standIn.trouble({ kind: 'answer', status: 200, body });
    },
  ),
  published(
    'an answer about another account',
    { kind: 'social', host: 'bluesky' },
    ({ world, attacker }, code) => {
      const body = JSON.stringify({ did: 'did:plc:attacker', handle: attacker, description: code });
      world.standIn.trouble({ kind: 'answer', status: 200, body });
    },
  ),
  published(
    'code in a post of a channel',
    { kind: 'messaging', host: 'telegram' },
    ({ world, victim }, code) => {
      const view = Buffer.from('{"c":-100123,"p":"1g","t":1}').toString('base64');
      const post = `<div class="tgme_widget_message" data-post="${victim}/7" data-view="${view}">${code}</div>`;
      world.standIn.trouble({ kind: 'answer', status: 200, body: post });
    },
  ),
];
