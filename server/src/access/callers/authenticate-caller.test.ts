import type { FastifyReply, FastifyRequest } from 'fastify';
import { describe, expect, it } from 'vitest';
import type { Database } from '../../platform/database/connect.ts';
import { loadContract } from '../../platform/http/contract/parse-contract.ts';
import { newSecret } from '../../platform/http/credentials/secret.ts';
import { createAuthentication, createSecurityHandlers } from './authenticate-caller.ts';

function handlersThatCount() {
  const asked: string[] = [];
  const database = {
    async query(sql: string) {
      asked.push(sql);
      return [];
    },
  } as unknown as Database;
  const authentication = createAuthentication({
    database,
    publicUrl: 'http://127.0.0.1:4000',
    lastUsed: { note: () => undefined },
    rateLimits: { count: async () => undefined },
  });
  return { asked, handlers: createSecurityHandlers(authentication) };
}

function requestWith(headers: object, config: object): FastifyRequest {
  return { method: 'GET', headers, routeOptions: { config } } as unknown as FastifyRequest;
}

const EITHER = { schemes: ['accessKey', 'session'], scopes: [] };
const BOTH = { authorization: `Bearer ${newSecret()}`, cookie: `sid=${'A'.repeat(43)}` };
const REPLY = {} as FastifyReply;

describe('an operation that takes a key or a session', () => {
  it('is decided once: the first rejection also applies to the second scheme, without another lookup', async () => {
    const { asked, handlers } = handlersThatCount();
    const request = requestWith(BOTH, EITHER);

    await expect(handlers.accessKey(request, REPLY)).rejects.toThrow(/key is malformed or unknown/);
    await expect(handlers.session(request, REPLY)).rejects.toThrow(/key is malformed or unknown/);

    expect(asked).toHaveLength(1);
    expect(asked[0]).toContain('access_key');
  });

  it('that checks the credential itself receives it without a database lookup', async () => {
    const { asked, handlers } = handlersThatCount();
    const request = requestWith({ cookie: BOTH.cookie }, { ...EITHER, judgesCredential: true });

    await handlers.accessKey(request, REPLY);

    expect(request.credential?.kind).toBe('session');
    expect(asked).toEqual([]);
  });
});

describe('the operations that judge the credential themselves', () => {
  it('are the metered one and the receipts', () => {
    const judging = loadContract().operations.filter(({ judgesCredential }) => judgesCredential);

    expect(judging.map(({ operationId }) => operationId).sort()).toEqual([
      'getReceipt',
      'listReceipts',
      'runOperation',
    ]);
  });
});
