import type { FastifyRequest } from 'fastify';
import { describe, expect, it } from 'vitest';
import { requireSameOrigin } from './credential.ts';

const OURS = 'https://trust.example';

function requestWith(method: string, headers: Record<string, string>): FastifyRequest {
  return { method, headers } as unknown as FastifyRequest;
}

describe('a request with a session that changes something', () => {
  it.each([
    [{ origin: OURS }],
    [{ origin: OURS, 'sec-fetch-site': 'same-origin' }],
    [{ 'sec-fetch-site': 'same-origin' }],
    [{ origin: 'null', 'sec-fetch-site': 'same-origin' }],
    [{ 'sec-fetch-site': 'none' }],
  ])('passes with %j', (headers) => {
    expect(() => requireSameOrigin(requestWith('POST', headers), OURS)).not.toThrow();
  });

  it.each([
    [{}],
    [{ origin: 'null' }],
    [{ origin: 'https://evil.example' }],
    [{ origin: 'http://trust.example' }],
    [{ origin: 'https://trust.example.evil.example' }],
    [{ origin: 'https://trust.example:444' }],
    [{ origin: `${OURS}/` }],
    [{ 'sec-fetch-site': 'cross-site' }],
    [{ 'sec-fetch-site': 'same-site' }],
    [{ 'sec-fetch-site': 'SAME-ORIGIN' }],
    [{ origin: 'https://evil.example', 'sec-fetch-site': 'none' }],
    [{ origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' }],
    [{ referer: `${OURS}/page` }],
  ])('is refused with %j', (headers) => {
    for (const method of ['POST', 'PUT', 'PATCH', 'DELETE']) {
      expect(() => requireSameOrigin(requestWith(method, headers), OURS)).toThrow(
        expect.objectContaining({ code: 'csrf_failed' }),
      );
    }
  });

  it('only reads need no proof', () => {
    for (const method of ['GET', 'HEAD']) {
      expect(() => requireSameOrigin(requestWith(method, {}), OURS)).not.toThrow();
    }
  });
});
