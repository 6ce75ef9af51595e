import type { FastifyRequest } from 'fastify';
import { describe, expect, it } from 'vitest';
import { RESERVED_SEGMENTS } from '../../catalog/subjects/public-path.ts';
import { matchesTag } from './conditional-get.ts';
import { assertContract } from './contract/contract.ts';
import { loadContract, parseContract } from './contract/parse-contract.ts';
import { collectRoutes, noRouteError } from './known-routes.ts';
import { addressKey } from './limits/limit-requests.ts';

describe('the contract at boot', () => {
  const text = `
openapi: 3.1.0
info: { title: t, version: '1' }
x-operation-extensions: { x-price-credits: c, x-judges-credential: j, x-key-scope: s, x-unranked: u, x-repeatable: r }
paths:
  /one: { get: { operationId: one, x-unranked: false, security: [], responses: {} } }
  /two:
    post:
      operationId: two
      x-repeatable: false
      x-judges-credential: false
      security: [{ accessKey: [] }]
      responses: {}
components: { securitySchemes: { accessKey: { type: http, scheme: bearer } } }
`;
  const handlers = { one: () => 1, two: () => 2 };
  const security = { accessKey: () => undefined };

  it('accepts the real one', () => {
    const contract = loadContract();
    const all = Object.fromEntries(
      contract.operations.map(({ operationId }) => [operationId, () => undefined]),
    );

    expect(() => assertContract(contract, all, { ...security, session: () => undefined })).not.toThrow();
    expect(contract.operations.map(({ operationId }) => operationId)).toContain('runOperation');
  });

  it.each([
    ['a missing handler', text, { one: handlers.one }, security, /two \(POST \/two\) has no handler/],
    [
      'a handler without an operation',
      text,
      { ...handlers, three: 1 },
      security,
      /three belongs to no operation/,
    ],
    [
      'a scheme without a handler',
      text,
      handlers,
      {},
      /two .* is protected by accessKey, which has no security handler/,
    ],
    [
      'an unknown scheme',
      text.replace('[{ accessKey', '[{ other'),
      handlers,
      security,
      /unknown security scheme other/,
    ],
    [
      'an id used twice',
      text.replace('operationId: two', 'operationId: one'),
      { one: 1 },
      security,
      /operationId one is used by GET \/one and POST \/two/,
    ],
    [
      'no id',
      text.replace('operationId: two', 'summary: two'),
      { one: 1 },
      security,
      /POST \/two has no operationId/,
    ],
    [
      'an extension that nobody knows',
      text.replace('x-repeatable: false', '$&\n      x-repeatible: true'),
      handlers,
      security,
      /two \(POST \/two\) has the unknown extension x-repeatible/,
    ],
    [
      'a write that does not say whether it may be repeated',
      text.replace('x-repeatable: false', ''),
      handlers,
      security,
      /two \(POST \/two\) does not say x-repeatable, true or false/,
    ],
    [
      'an operation with a key that does not say who judges it',
      text.replace('x-judges-credential: false', ''),
      handlers,
      security,
      /two \(POST \/two\) does not say x-judges-credential/,
    ],
    [
      'a public operation that does not say whether it ranks',
      text.replace('x-unranked: false, ', ''),
      handlers,
      security,
      /one \(GET \/one\) does not say x-unranked/,
    ],
    [
      'an extension of another form',
      text.replace(
        'x-repeatable: false',
        "x-repeatable: 'no'\n      x-price-credits: { a: 0 }\n      x-key-scope: 1",
      ),
      handlers,
      security,
      /x-price-credits that is not a whole number[\s\S]*x-key-scope that is not the name[\s\S]*x-repeatable that is not true or false/,
    ],
    [
      'an extension that is not described',
      text.replace('x-repeatable: r }', 'x-repeats: r }'),
      handlers,
      security,
      /x-repeatable is not described in the contract[\s\S]*x-repeats is described, but nothing reads it/,
    ],
  ])('refuses %s, naming it', (_what, contract, given, schemes, message) => {
    expect(() => assertContract(parseContract(contract), given, schemes)).toThrow(message);
  });

  it('names every culprit at once', () => {
    expect(() => assertContract(parseContract(text), {}, {})).toThrow(
      /one .* has no handler[\s\S]*two .* has no handler[\s\S]*accessKey/,
    );
  });
});

describe('an address that no route takes', () => {
  const routes: { url: string; method: string }[] = [];
  const app = {
    addHook: (_name: string, hook: (route: object) => void) =>
      routes.push({ url: '', method: '', hook } as never),
  };
  const { allowedMethods } = collectRoutes(app as never, RESERVED_SEGMENTS);
  const { hook } = routes[0] as unknown as { hook: (route: object) => void };
  for (const route of [
    { url: '/api/agents', method: 'GET' },
    { url: '/api/agents', method: 'HEAD' },
    { url: '/api/agents/:id', method: 'GET' },
    { url: '/:owner/:repository', method: 'GET' },
    { url: '/badge/:type/:file', method: 'GET' },
    { url: '*', method: 'OPTIONS' },
  ]) {
    hook(route);
  }

  it.each([
    ['POST', '/api/agents', 'method_not_allowed', ['GET', 'HEAD']],
    ['DELETE', '/api/agents/AGT-00000000?x=1', 'method_not_allowed', ['GET']],
    ['POST', '/some-owner/some-repository', 'method_not_allowed', ['GET']],
    ['POST', '/api/unknown', 'not_found', undefined],
    ['GET', '/api/unknown', 'not_found', undefined],
    ['GET', '/unknown', 'not_found', undefined],
    ['POST', '/badge/agent', 'not_found', undefined],
    ['POST', '/badge/agent/x.svg', 'method_not_allowed', ['GET']],
    ['POST', '/api/agents/%zz', 'not_found', undefined],
  ])('%s %s → %s', (method, url, code, allow) => {
    const error = noRouteError(method, url, allowedMethods);

    expect(error.code).toBe(code);
    expect(error.details.allow).toEqual(allow);
  });
});

describe('an address', () => {
  it.each([
    ['203.0.113.9', '203.0.113.9'],
    ['::ffff:203.0.113.9', '203.0.113.9'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:db8:1:2::9', '2001:db8:1:2::/64'],
    ['2001:0db8:0001:0002::9', '2001:db8:1:2::/64'],
    ['2001:db8::1', '2001:db8:0:0::/64'],
    ['::1', '0:0:0:0::/64'],
    ['2001::2:3:4:5:6', '2001:0:0:2::/64'],
    ['2001:db8::3:4:5:6:7', '2001:db8:0:3::/64'],
  ])('%s counts as %s', (ip, key) => {
    expect(addressKey({ ip } as FastifyRequest)).toBe(key);
  });
});

describe('If-None-Match', () => {
  it.each([
    ['W/"a"', true],
    ['"a"', true],
    ['"b", W/"a"', true],
    ['*', true],
    ['"b"', false],
    ['a', false],
    ['', false],
  ])('%s → %s', (header, matches) => {
    expect(matchesTag(header, 'W/"a"')).toBe(matches);
  });
});
