import type { FastifyContextConfig, FastifyReply, FastifyRequest } from 'fastify';
import { describe, expect, it } from 'vitest';
import type { Database } from '../../platform/database/connect.ts';
import { DomainError } from '../../platform/errors/domain-error.ts';
import { FORM_TOKEN_FIELD, formToken } from '../../platform/http/credentials/credential.ts';
import { credentialError } from '../../platform/http/credentials/principal.ts';
import { hashSecret, newSecret } from '../../platform/http/credentials/secret.ts';
import { createAuthentication } from './authenticate-caller.ts';

const SITE = 'http://127.0.0.1:4000';
const REPLY = {} as FastifyReply;
const TOKEN = 'A'.repeat(43);
const SESSION = { cookie: `sid=${TOKEN}` };
const OWN_FORM = new URLSearchParams({
  [FORM_TOKEN_FIELD]: formToken({ kind: 'session', hash: hashSecret(TOKEN) }),
});
const OWN = { origin: SITE };
const FORM: FastifyContextConfig = { schemes: ['session'], formPage: '/console/keys' };
const METERED: FastifyContextConfig = { schemes: ['accessKey', 'session'], limit: 'metered' };

function requestWith(headers: object, config: FastifyContextConfig, body: unknown = null): FastifyRequest {
  const request = {
    method: 'POST',
    headers,
    body,
    routeOptions: { config },
    credential: null,
    principal: null,
  };
  return request as unknown as FastifyRequest;
}

/** Authenticates a request, and returns the calls made on the way and the result. */
async function enter(request: FastifyRequest, change: { isDead?: boolean; isUsedUp?: boolean } = {}) {
  const asked: string[] = [];
  const { admit } = createAuthentication({
    database: {} as Database,
    publicUrl: SITE,
    lastUsed: { note: (keyId) => void asked.push(`note ${keyId}`) },
    rateLimits: {
      async count(limit, key) {
        asked.push(`${limit} ${key}`);
        if (change.isUsedUp) throw new DomainError('rate_limited', 'Too many requests.');
      },
    },
  });
  const lookUp = async ({ kind }: { kind: 'key' | 'session' }) => {
    asked.push('look-up');
    if (change.isDead) throw kind === 'key' ? credentialError.revoked() : credentialError.sessionEnded();
    const ids = kind === 'key' ? { keyId: 'k', sessionId: null } : { keyId: null, sessionId: 's' };
    return { caller: { accountId: 'a', ...ids } };
  };
  const came = await admit(request, REPLY, lookUp).then(
    () => 'in',
    (error: DomainError) => error.code,
  );
  return { asked, came };
}

describe('an authenticated request', () => {
  it('with a key is looked up once, then counted against the account, then recorded as use of the key', async () => {
    const { asked, came } = await enter(requestWith({ authorization: `Bearer ${newSecret()}` }, METERED));

    expect({ asked, came }).toEqual({ asked: ['look-up', 'metered-account a', 'note k'], came: 'in' });
  });

  it('with a session from a page of ours is let in, and counted where the route is metered', async () => {
    expect(await enter(requestWith({ ...SESSION, ...OWN }, METERED))).toEqual({
      asked: ['look-up', 'metered-account a'],
      came: 'in',
    });
    expect(await enter(requestWith({ ...SESSION, ...OWN }, FORM, OWN_FORM))).toEqual({
      asked: ['look-up'],
      came: 'in',
    });
  });
});

describe('a request is rejected', () => {
  it('with a malformed credential, without a lookup', async () => {
    expect(await enter(requestWith({ authorization: 'Bearer nothing' }, METERED))).toEqual({
      asked: [],
      came: 'unauthorized',
    });
    expect(await enter(requestWith(OWN, FORM, OWN_FORM))).toEqual({ asked: [], came: 'unauthorized' });
  });

  it('with an expired credential: a 401, whatever its origin, and not counted against an account', async () => {
    expect(await enter(requestWith(SESSION, METERED), { isDead: true })).toEqual({
      asked: ['look-up'],
      came: 'unauthorized',
    });
  });

  it.each([
    ['metered call', METERED, null],
    ['form', FORM, OWN_FORM],
  ])(
    'with a session and a %s that another site sent; it is counted against no account',
    async (_, config, body) => {
      const request = requestWith({ ...SESSION, origin: 'https://evil.example' }, config, body);

      expect(await enter(request)).toEqual({ asked: ['look-up'], came: 'csrf_failed' });
    },
  );

  it('with a form that lacks the token of the session', async () => {
    const request = requestWith({ ...SESSION, ...OWN }, FORM, new URLSearchParams());

    expect(await enter(request)).toEqual({ asked: ['look-up'], came: 'csrf_failed' });
  });

  it('above the account’s limit, and the use of the key is not recorded', async () => {
    const request = requestWith({ authorization: `Bearer ${newSecret()}` }, METERED);

    expect(await enter(request, { isUsedUp: true })).toEqual({
      asked: ['look-up', 'metered-account a'],
      came: 'rate_limited',
    });
  });
});
