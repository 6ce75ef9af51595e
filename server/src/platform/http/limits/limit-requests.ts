import { isIPv6 } from 'node:net';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { presentedCredential } from '../credentials/credential.ts';
import type { Credential } from '../credentials/principal.ts';
import type { LimitName, RateLimits } from './rate-limits.ts';

/**
 * Counts the requests of routes with a rate limit, before their body is read. Public routes are counted by address.
 * Routes with credentials are counted by the hash of the access key or session token; without one, by address. Unknown
 * credentials from addresses that failed too often are rejected without a database lookup of their own, and before they
 * are counted, so that random tokens create no counters.
 */
export function limitRequests(
  app: FastifyInstance,
  limits: RateLimits,
  known: { mayExist(credential: Credential): Promise<boolean> },
  cookieName: string,
): void {
  const refuseGuess = async (address: string, credential: Credential, reply: FastifyReply) => {
    if (!limits.hasFailedTooOften(address) || (await known.mayExist(credential))) return;
    await limits.countFailedCredential(address, reply);
  };
  const countKeyed = async (request: FastifyRequest, reply: FastifyReply, limit: LimitName) => {
    const { schemes = [] } = request.routeOptions.config;
    const credential = presentedCredential(request, schemes, cookieName);
    if (credential) {
      // Stored for authentication, because hashing the credential again would cost as much as counting.
      request.credential = credential;
      await refuseGuess(addressKey(request), credential, reply);
      return limits.count(limit, credential.hash.toString('base64url'), reply);
    }
    return limits.count('unkeyed', addressKey(request), reply);
  };
  app.addHook('onRequest', (request, reply, done) => {
    const { limit } = request.routeOptions.config;
    if (!limit || (limit === 'public' && !limits.isOn('public'))) return done();
    const counting =
      limit === 'public'
        ? limits.count('public', addressKey(request), reply)
        : countKeyed(request, reply, limit);
    counting.then(() => done(), done);
  });
}

const IPV4_AND_PORT = /^(\d{1,3}(?:\.\d{1,3}){3}):\d+$/;
const BRACKETED = /^\[([^\]]+)\](?::\d+)?$/;

/**
 * Removes ports from an X-Forwarded-For header: `192.0.2.1:4711, [2001:db8::1]:80` becomes `192.0.2.1, 2001:db8::1`.
 */
export function withoutPorts(forwarded: string): string {
  return forwarded
    .split(',')
    .map((part) => withoutPort(part.trim()))
    .join(', ');
}

function withoutPort(address: string): string {
  const [, ipv4] = IPV4_AND_PORT.exec(address) ?? [];
  if (ipv4 !== undefined) return ipv4;
  const [, bracketed = ''] = BRACKETED.exec(address) ?? [];
  return isIPv6(bracketed) ? bracketed : address;
}

/**
 * Removes client ports from X-Forwarded-For. Some proxies add them, and they change with every connection. Register
 * before hooks that read client addresses.
 */
export function readForwardedAddresses(app: FastifyInstance): void {
  app.addHook('onRequest', (request, _reply, done) => {
    const { headers } = request.raw;
    const forwarded = headers['x-forwarded-for'];
    if (typeof forwarded === 'string') headers['x-forwarded-for'] = withoutPorts(forwarded);
    done();
  });
}

/**
 * Returns the rate-limit key of a client's address. An IPv6 customer has at least a /64, so each /64 counts as one
 * address.
 */
export function addressKey(request: FastifyRequest): string {
  const { ip } = request;
  if (!isIPv6(ip)) return ip;
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(ip);
  if (mapped?.[1]) return mapped[1];
  const [head = '', tail = ''] = ip.split('::');
  const left = head.split(':').filter(Boolean);
  const right = tail.split(':').filter(Boolean);
  const groups = ip.includes('::')
    ? [...left, ...Array(8 - left.length - right.length).fill('0'), ...right]
    : left;
  return `${groups
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':')}::/64`;
}
