import type { FastifyRequest } from 'fastify';
import { describe, expect, it } from 'vitest';
import { presentedCredential, requireCredential, sessionCookieName } from './credential.ts';
import { hashSecret, newSecret } from './secret.ts';

const COOKIE = 'sid';
const TOKEN = 'A'.repeat(43);
const EITHER = ['accessKey', 'session'];

function requestWith(headers: { authorization?: string | undefined; cookie?: string }): FastifyRequest {
  return { headers } as FastifyRequest;
}

describe('the access key of a request', () => {
  it('is read whatever the case of the scheme', () => {
    const secret = newSecret();

    for (const scheme of ['Bearer', 'bearer', 'BEARER ']) {
      const request = requestWith({ authorization: `${scheme} ${secret}` });
      expect(presentedCredential(request, ['accessKey'], COOKIE)).toEqual({
        kind: 'key',
        hash: hashSecret(secret),
      });
    }
  });

  it.each([
    undefined,
    '',
    'Bearer',
    'Basic abc',
    'Bearer svc_live_x',
    `Bearer ${newSecret()} x`,
    `Token ${newSecret()}`,
  ])('is not %j', (authorization) => {
    const request = requestWith({ authorization });

    expect(presentedCredential(request, ['accessKey'], COOKIE)).toBeNull();
    expect(() => requireCredential(request, ['accessKey'], COOKIE)).toThrow(
      authorization === undefined ? /required/ : /malformed or unknown/,
    );
  });
});

describe('the session of a request', () => {
  it.each([
    [`sid=${TOKEN}`, TOKEN],
    [`theme=dark; sid=${TOKEN}; other=1`, TOKEN],
    [`sid=${TOKEN}; sid=${'B'.repeat(43)}`, TOKEN],
  ])('is read from the cookie %j', (cookie, token) => {
    expect(presentedCredential(requestWith({ cookie }), EITHER, COOKIE)).toEqual({
      kind: 'session',
      hash: hashSecret(token),
    });
  });

  it.each(['sid=', 'sid=short', `sid=${TOKEN}A`, `sid="${TOKEN}"`, `sid=${'!'.repeat(43)}`])(
    'is not %j',
    (cookie) => {
      const request = requestWith({ cookie });

      expect(presentedCredential(request, EITHER, COOKIE)).toBeNull();
      expect(() => requireCredential(request, EITHER, COOKIE)).toThrow(/session/);
    },
  );

  it.each([`__Host-sid=${TOKEN}`, `xsid=${TOKEN}`, '', 'theme'])('is not there in %j', (cookie) => {
    expect(() => requireCredential(requestWith({ cookie }), EITHER, COOKIE)).toThrow(
      /access key is required/,
    );
  });

  it('goes by a name that browsers keep to one host and https, where the server is reached by https', () => {
    expect(sessionCookieName('https://trust.example')).toBe('__Host-sid');
    expect(sessionCookieName('http://127.0.0.1:4000')).toBe('sid');
  });
});

describe('a request with both', () => {
  const secret = newSecret();
  const request = requestWith({ authorization: `Bearer ${secret}`, cookie: `sid=${TOKEN}` });

  it('is judged by its Authorization header, also where that holds no key', () => {
    const broken = requestWith({ authorization: 'Bearer nothing', cookie: `sid=${TOKEN}` });

    expect(presentedCredential(request, EITHER, COOKIE)?.kind).toBe('key');
    expect(() => requireCredential(broken, EITHER, COOKIE)).toThrow(/malformed or unknown/);
  });

  it('is judged by the one that the route takes', () => {
    expect(presentedCredential(request, ['accessKey'], COOKIE)?.kind).toBe('key');
    expect(presentedCredential(request, ['session'], COOKIE)?.kind).toBe('session');
  });
});

describe('a request with a session, on a route that takes keys only', () => {
  it('has no credential', () => {
    const request = requestWith({ cookie: `sid=${TOKEN}` });

    expect(() => requireCredential(request, ['accessKey'], COOKIE)).toThrow(/access key is required/);
  });
});

describe('a request to a route that takes a session only', () => {
  const ask = (headers: Parameters<typeof requestWith>[0]) => () =>
    requireCredential(requestWith(headers), ['session'], COOKIE);

  it('is told so where it sends a key, and where to sign in where it sends nothing', () => {
    expect(ask({ authorization: `Bearer ${newSecret()}` })).toThrow(/does not accept access keys.*\/sign-in/);
    expect(ask({})).toThrow(/needs a session. Sign in at \/sign-in/);
    expect(ask({ cookie: 'theme=dark' })).toThrow(/needs a session/);
  });

  it('is told that its session has ended where it sends one that was none, also beside a key', () => {
    expect(ask({ cookie: 'sid=short' })).toThrow(/has ended/);
    expect(ask({ cookie: 'sid=short', authorization: `Bearer ${newSecret()}` })).toThrow(/has ended/);
  });
});
