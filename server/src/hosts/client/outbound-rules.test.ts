import { describe, expect, it } from 'vitest';
import { type OutboundRules, readTarget } from './guarded-client.ts';

const rules: OutboundRules = { hosts: ['github.com'], configuredOrigins: ['http://127.0.0.1:4100'] };

describe('readTarget', () => {
  it.each(['https://github.com/a/b', 'https://GitHub.com:443/', 'https://ｇithub。com/'])(
    'lets %s pass, which is an allowed host',
    (address) => {
      expect(readTarget(address, rules)).toMatchObject({ isConfigured: false });
    },
  );

  it('lets an origin of the configuration pass as it is, and no other port or scheme of it', () => {
    expect(readTarget('http://127.0.0.1:4100/path?x', rules)).toMatchObject({ isConfigured: true });
    for (const other of ['http://127.0.0.1:4101/', 'https://127.0.0.1:4100/', 'http://127.0.0.2:4100/']) {
      expect(() => readTarget(other, rules), other).toThrow('the call was not made');
    }
  });

  it.each([
    ['https://user@github.com/', 'the address contains credentials'],
    ['https://:secret@github.com/', 'the address contains credentials'],
    ['http://user:secret@127.0.0.1:4100/', 'the address contains credentials'],
    ['https://github.com:8443/', 'port'],
    ['https://github.com:80/', 'port'],
    ['http://github.com/', 'https'],
    ['ftp://github.com/', 'https'],
    ['https://api.github.com/', 'not allowed'],
    ['https://github.com./', 'not allowed'],
    ['https://github.com.evil.example/', 'not allowed'],
    ['github.com', 'not a URL'],
  ])('refuses %s and says why, without repeating it', (address, reason) => {
    expect(() => readTarget(address, rules)).toThrow(reason);
    expect(() => readTarget(address, rules)).not.toThrow('github.com');
  });

  it('takes any host where a person chooses the receiver, under the same rules', () => {
    const receivers: OutboundRules = { hosts: 'any', configuredOrigins: [] };

    expect(readTarget('https://hooks.example/in', receivers)).toMatchObject({ isConfigured: false });
    expect(() => readTarget('https://hooks.example:8443/in', receivers)).toThrow('port');
  });
});
