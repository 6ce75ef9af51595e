import { describe, expect, it } from 'vitest';
import { hostApiTokens, hostApiUrls } from './known-hosts.ts';

describe('HOST_API_URLS', () => {
  it('takes another address for a known host, and a kind with the address of a host of the operator', () => {
    const text =
      'github.com=http://127.0.0.1:1234/api/, git.example=forgejo+https://git.example/api/v1,npm=https://registry.example';

    expect(hostApiUrls.parse(text)).toEqual([
      { host: 'github.com', api: null, url: 'http://127.0.0.1:1234/api' },
      { host: 'git.example', api: 'forgejo', url: 'https://git.example/api/v1' },
      { host: 'npmjs.com', api: null, url: 'https://registry.example' },
    ]);
  });

  it.each([
    'git.example=https://git.example',
    'git.example=svn+https://git.example',
    'github.com',
    '=https://api.github.com',
    'github.com=ftp://api.github.com',
    'github.com=https://user:secret@api.github.com',
    'github.com=https://api.github.com?x=1',
    'github.com=https://a.example,www.github.com=https://b.example',
    'git hub.com=forgejo+https://api.github.com',
    ',',
  ])('refuses %j', (text) => {
    expect(hostApiUrls.parse(text)).toBeUndefined();
  });
});

describe('HOST_API_TOKENS', () => {
  it('takes a token with an equals sign in it, one for each host', () => {
    expect(hostApiTokens.parse('github.com=abc==, gitlab.com=d')).toEqual([
      { host: 'github.com', token: 'abc==' },
      { host: 'gitlab.com', token: 'd' },
    ]);
  });

  it.each(['github.com=', 'github.com=a b', 'token', 'github.com=a,github.com=b'])('refuses %j', (text) => {
    expect(hostApiTokens.parse(text)).toBeUndefined();
  });
});
