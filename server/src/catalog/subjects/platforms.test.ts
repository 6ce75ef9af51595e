import { describe, expect, it } from 'vitest';
import { expectEveryRow } from '../../../testing/every-row.ts';
import type { SubjectType } from '../../scoring/subject-type.ts';
import { readPlatformHandle } from './platforms.ts';
import { createPublicUrls } from './public-path.ts';
import { aliasesOf } from './read-subject.ts';

const publicUrls = createPublicUrls('https://trust.example');

function labels(text: string, type: SubjectType = 'social_account'): string[] {
  return aliasesOf(text, type, publicUrls);
}

describe('URLs of accounts', () => {
  const spellings: readonly (readonly [string, string])[] = [
    ['x:Acme', 'x:acme'],
    ['x:@acme', 'x:acme'],
    ['twitter:acme', 'x:acme'],
    ['x.com:acme', 'x:acme'],
    ['https://x.com/Acme', 'x:acme'],
    ['https://twitter.com/acme/', 'x:acme'],
    ['http://www.twitter.com/@acme?lang=en', 'x:acme'],
    ['mobile.twitter.com/acme', 'x:acme'],
    ['x.com/acme', 'x:acme'],
    ['/u/x/acme', 'x:acme'],
    ['/u/twitter.com/@Acme', 'x:acme'],
    ['https://trust.example/u/x/acme', 'x:acme'],
    ['https://bsky.app/profile/acme.bsky.social', 'bluesky:acme.bsky.social'],
    ['bsky:acme.example', 'bluesky:acme.example'],
    ['https://bsky.app/profile/did:plc:z72i7hd', 'bluesky:id/did:plc:z72i7hd'],
    ['@alice@mastodon.social', 'mastodon.social:alice'],
    ['@alice:matrix.org', 'matrix.org:alice'],
    ['acct:alice@mastodon.social', 'mastodon.social:alice'],
    ['mastodon:@alice@Mastodon.social', 'mastodon.social:alice'],
    ['mastodon.social:alice', 'mastodon.social:alice'],
    ['https://mastodon.social/@alice', 'mastodon.social:alice'],
    ['mastodon.social/@alice', 'mastodon.social:alice'],
    ['https://mastodon.social/users/alice', 'mastodon.social:alice'],
    ['https://fosstodon.org/@alice@mastodon.social', 'mastodon.social:alice'],
    ['/u/mastodon/alice@mastodon.social', 'mastodon.social:alice'],
    ['https://www.linkedin.com/in/ada-lovelace/', 'linkedin:ada-lovelace'],
    ['https://de.linkedin.com/in/ada%2Dlovelace', 'linkedin:ada-lovelace'],
    ['https://www.linkedin.com/company/acme', 'linkedin:company/acme'],
    ['linkedin:company/acme', 'linkedin:company/acme'],
    ['/u/linkedin/company%2Facme', 'linkedin:company/acme'],
    ['https://www.youtube.com/@Acme', 'youtube:acme'],
    ['https://m.youtube.com/channel/UCabc-1', 'youtube:id/ucabc-1'],
    ['https://old.reddit.com/user/acme', 'reddit:acme'],
    ['https://www.reddit.com/u/acme', 'reddit:acme'],
    ['https://www.reddit.com/r/acme', 'reddit:r/acme'],
    ['https://www.threads.net/@acme', 'threads:acme'],
    ['https://www.tiktok.com/@acme', 'tiktok:acme'],
  ];
  it('reads every spelling of a social account', async () => {
    const check = ([text, label]: readonly [string, string]) => {
      expect(labels(text)).toEqual([label]);
      expect(labels(text, 'agent')).not.toContain(label);
    };

    await expectEveryRow(spellings, ([text]) => text, check);
  });

  it.each([
    ['telegram:acme_news', 'telegram:acme_news'],
    ['t.me:acme_news', 'telegram:acme_news'],
    ['https://t.me/Acme_News', 'telegram:acme_news'],
    ['t.me/s/acme_news', 'telegram:acme_news'],
    ['https://telegram.me/acme_news', 'telegram:acme_news'],
    ['acme-news.t.me', 'telegram:acme-news'],
    ['/m/telegram/acme_news', 'telegram:acme_news'],
    ['https://discord.gg/acme', 'discord:acme'],
    ['discord.com/invite/Acme', 'discord:acme'],
    ['https://discordapp.com/users/1234', 'discord:id/1234'],
  ])('reads %s as one messaging account', (text, label) => {
    expect(labels(text, 'messaging_account')).toEqual([label]);
  });

  it.each([
    'https://x.com/acme/status/1',
    'https://x.com/home',
    'https://x.com/',
    'https://x.com/a%2Fb',
    'https://t.me/+AbCdEf',
    'https://t.me/joinchat/AbC',
    'https://t.me/acme/12',
    'https://t.me/c/123',
    'https://www.linkedin.com/feed',
    'https://www.youtube.com/user/acme',
    'https://discord.com/channels/1/2',
    'https://acme.t.me/12',
    'mastodon:alice',
    '@alice@nowhere',
    'x:',
    'x:a b',
    'x:..',
    '/u/x/a/b',
    '/u/x',
  ])('finds no account on a known platform in %s', (text) => {
    for (const type of ['social_account', 'messaging_account'] as const) {
      expect(
        labels(text, type).filter((label) =>
          /^(?:x|telegram|linkedin|youtube|discord|mastodon):/.test(label),
        ),
      ).toEqual([]);
    }
  });

  it('does not confuse a host with a platform whose name it contains', () => {
    expect(labels('https://t.me.evil.example/acme')).toEqual(['t.me.evil.example:acme']);
    expect(labels('https://notx.com/acme')).toEqual(['notx.com:acme']);
    expect(labels('https://x.com:8443/acme')).toEqual([]);
  });

  it('tries a bare handle as a handle and then as a name, without a platform', () => {
    expect(labels('@Acme')).toEqual(['@acme']);
    expect(labels('Acme', 'messaging_account')).toEqual(['@acme', 'acme']);
    expect(labels('Acme News', 'messaging_account')).toEqual(['acme news']);
  });
});

describe('readPlatformHandle', () => {
  it('keeps the case of the handle and normalises the platform', () => {
    expect(readPlatformHandle('Twitter.com', '@AcmeLabs')).toEqual({ platform: 'x', handle: 'AcmeLabs' });
  });

  it.each([
    ['x', ''],
    ['x', '@'],
    ['x', 'a/b'],
    ['x', 'a:b'],
    ['x', 'a\u0000b'],
    ['x', '.'],
    ['x', 'id/'],
    ['reddit', 'r/'],
    ['', 'acme'],
    ['a b', 'acme'],
    ['mastodon', '@alice@mastodon'],
  ])('finds no account on %j called %j', (platform, handle) => {
    expect(readPlatformHandle(platform, handle)).toBeNull();
  });
});
