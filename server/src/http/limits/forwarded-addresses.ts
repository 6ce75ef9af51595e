import { isIPv6 } from 'node:net';
import type { FastifyInstance } from 'fastify';

const IPV4_AND_PORT = /^(\d{1,3}(?:\.\d{1,3}){3}):\d+$/;
const BRACKETED = /^\[([^\]]+)\](?::\d+)?$/;

/** Takes the ports out of an X-Forwarded-For: `192.0.2.1:4711, [2001:db8::1]:80` becomes `192.0.2.1, 2001:db8::1`. */
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
 * Makes an address with a port count as the address: some proxies write the client's port, which differs with each connection.
 * Register before any hook that asks for a client's address.
 */
export function readForwardedAddresses(app: FastifyInstance): void {
  app.addHook('onRequest', (request, _reply, done) => {
    const { headers } = request.raw;
    const forwarded = headers['x-forwarded-for'];
    if (typeof forwarded === 'string') headers['x-forwarded-for'] = withoutPorts(forwarded);
    done();
  });
}
