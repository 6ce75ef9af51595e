import { describe, expect, it } from 'vitest';
import { expectEveryRow } from '../../../testing/every-row.ts';
import { account, type Row } from '../../../testing/import/rows.ts';
import { parseRow } from './parse-row.ts';

function parse(platform: string, handle: string, overrides: Row = {}) {
  return parseRow(JSON.stringify(account(platform, handle, overrides)));
}

function reasonOf(overrides: Row, platform = 'x', handle = 'acme'): string {
  const parsed = parse(platform, handle, overrides);
  return 'reason' in parsed ? parsed.reason : 'stored';
}

describe('account rows', () => {
  it.each([
    ['Twitter', '@Acme', 'x', 'Acme'],
    ['x.com', 'acme', 'x', 'acme'],
    ['mastodon', '@alice@Mastodon.social', 'mastodon.social', 'alice'],
    ['mastodon.social', '@alice', 'mastodon.social', 'alice'],
    ['linkedin', 'company/Acme', 'linkedin', 'company/Acme'],
    ['T.me', 'acme_news', 'telegram', 'acme_news'],
    ['slack', 'acme', 'slack', 'acme'],
  ])('on %s of %s are those of %s called %s', (platform, handle, name, stored) => {
    expect(parse(platform, handle)).toMatchObject({
      kind: 'account',
      row: { platform: name, handle: stored },
    });
  });

  it('are about the same in every case of a handle and under every name of a platform, and by the platform’s id', () => {
    const keys = (...of: Parameters<typeof parse>) => {
      const parsed = parse(...of);
      return 'keys' in parsed ? parsed.keys : [];
    };

    expect(keys('twitter', '@ACME')).toEqual(keys('x', 'acme'));
    expect(keys('x', 'a', { platformAccountId: '1' })[1]).toBe(keys('x', 'b', { platformAccountId: '1' })[1]);
    expect(keys('x', 'acme')).not.toEqual(keys('x', 'acme', { type: 'messaging_account' }));
    expect(keys('x', 'acme')).not.toEqual(keys('bluesky', 'acme'));
  });

  it.each([
    [{ url: 'https://x.com/acme' }, 'x', 'acme'],
    [{ url: 'https://twitter.com/acme' }, 'x', 'acme'],
    [{ url: 'https://acme.t.me' }, 'telegram', 'acme'],
    [{ url: 'https://social.example.org/@alice' }, 'example.org', 'alice'],
    [{ url: 'https://acme.slack.com' }, 'slack', 'acme'],
    [{ ownerHandle: '@acme', audienceDayGrowth: -0.2, engagement: 3.5, audience: 0 }, 'x', 'acme'],
    [
      { ownerHandle: 'gitlab.com:acme', createdAt: '2020-01-01', lastPostAt: '2026-08-01T00:00:00+02:00' },
      'x',
      'acme',
    ],
    [{ further: { kept: true } }, 'x', 'acme'],
  ])('may hold %j on %s', (overrides, platform, handle) => {
    expect(reasonOf(overrides, platform, handle)).toBe('stored');
  });

  const refused: readonly (readonly [Record<string, unknown>, string])[] = [
    [{ type: 'creator' }, 'type: must be one of social_account, messaging_account'],
    [{ kind: 'group' }, 'kind: must be one of account, channel, bot'],
    [{ kind: null }, 'kind: must be one of account, channel, bot'],
    [{ platform: null }, 'platform: is missing'],
    [{ platform: 'a b' }, 'handle: must be an account name on its platform'],
    [{ handle: '' }, 'handle: is missing'],
    [{ handle: 'a/b' }, 'handle: must be an account name on its platform'],
    [{ handle: 'a b' }, 'handle: must be an account name on its platform'],
    [{ handle: 'acme~7' }, 'handle: must be an account name on its platform'],
    [{ handle: 'id/7' }, 'handle: must be an account name on its platform'],
    [{ handle: 'ａｃｍｅ' }, 'handle: must be an account name on its platform'],
    [{ handle: 'ac\u200bme' }, 'handle: must be an account name on its platform'],
    [{ handle: 'x'.repeat(255) }, 'handle: longer than 254 characters'],
    [{ platform: 'mastodon' }, 'handle: must be an account name on its platform'],
    [{ name: 'x'.repeat(501) }, 'name: longer than 500 characters'],
    [{ name: 'a\u0007' }, 'name: contains a control character'],
    [{ url: 'javascript:alert(1)' }, 'url: must be an http or https address'],
    [{ url: 'acme.example' }, 'url: must be an http or https address'],
    [{ url: 'https://evil.example/acme' }, 'url: is not on the platform'],
    [{ url: 'https://x.com.evil.example/acme' }, 'url: is not on the platform'],
    [{ url: 'https://t.me/acme' }, 'url: is not on the platform'],
    [{ formerHandles: 'old' }, 'formerHandles: must be a list of texts'],
    [{ formerHandles: ['a b'] }, 'formerHandles: must hold account names on the platform'],
    [{ ownerHandle: 'a/b' }, 'ownerHandle: must be handle or host:handle of a creator'],
    [{ platformAccountId: 7 }, 'platformAccountId: must be text'],
    [{ platformAccountId: 'a b' }, 'platformAccountId: must be text without a space or / # ? \\ %'],
    [{ createdAt: 'yesterday' }, 'createdAt: must be a date in ISO 8601'],
    [{ lastPostAt: '2026-02-30' }, 'lastPostAt: must be a date in ISO 8601'],
    [{ observedAt: '2026-08-01T00:00:00' }, 'observedAt: must be a date in ISO 8601'],
    [{ verifiedMark: 'true' }, 'verifiedMark: must be true or false'],
    [{ scamFlag: 1 }, 'scamFlag: must be true or false'],
    [{ audience: -1 }, 'audience: must be a whole number of 0 or more'],
    [{ audience: 1.5 }, 'audience: must be a whole number of 0 or more'],
    [{ audience: '20000' }, 'audience: must be a whole number of 0 or more'],
    [{ audienceDayGrowth: -1.1 }, 'audienceDayGrowth: must be a number from -1 to 1000000'],
    [{ audienceDayGrowth: '0.5' }, 'audienceDayGrowth: must be a number from -1 to 1000000'],
    [{ engagement: -0.1 }, 'engagement: must be a number from 0 to 1000000'],
    [{ engagement: 1e7 }, 'engagement: must be a number from 0 to 1000000'],
    [{ crossLink: 'some' }, 'crossLink: must be one of both, one, none'],
    [{ source: null }, 'source: is missing'],
  ];
  it('may not hold a wrong field', async () => {
    const check = ([overrides, reason]: readonly [Record<string, unknown>, string]) => {
      expect(reasonOf(overrides)).toContain(reason);
    };

    await expectEveryRow(refused, ([overrides]) => JSON.stringify(overrides).slice(0, 100), check);
  });

  it('are refused with all their problems at once', () => {
    expect(reasonOf({ audience: -1, url: 'nowhere' })).toBe(
      'url: must be an http or https address; audience: must be a whole number of 0 or more',
    );
  });
});
