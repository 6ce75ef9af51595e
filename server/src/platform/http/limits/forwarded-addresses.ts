import { isIPv6 } from 'node:net';
import type { FastifyInstance, FastifyRequest } from 'fastify';

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
