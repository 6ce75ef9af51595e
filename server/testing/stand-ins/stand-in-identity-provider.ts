import { createHmac, createSign, generateKeyPairSync, type KeyObject, randomBytes } from 'node:crypto';
import {
  createServer,
  request as forward,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

/** Replaces an answer of the provider. */
export type AnswerOverride = (path: string, response: ServerResponse, body: string) => boolean | undefined;

/** A real OpenID Connect provider whose login form accepts any name, with faults on demand. */
export interface StandInIdentityProvider {
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** Number of requests by path. */
  readonly requestCounts: Map<string, number>;
  /** Replaces an answer and returns true; undefined passes every answer on. */
  overrideAnswer: AnswerOverride | undefined;
  /**
   * Returns an ID token with these claims, signed by the provider unless the header names another algorithm or key.
   */
  signed(claims: object, header?: { alg?: string; kid?: string }): string;
  /** Stops answering and closes connections. The port stays reserved. */
  stop(): void;
  start(): void;
  close(): Promise<void>;
}

const CLIENT_ID = 'trust-directory';

/** Starts a provider for a client with these callback addresses. */
export async function startIdentityProvider(
  redirectUris: readonly string[],
): Promise<StandInIdentityProvider> {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const clientSecret = randomBytes(24).toString('base64url');
  const front = createServer();
  let isStopped = false;
  front.on('connection', (socket) => isStopped && socket.destroy());
  await listen(front);
  const { port } = front.address() as AddressInfo;
  const issuer = `http://127.0.0.1:${port}`;
  const inner = createServer(
    await quietly(() => createProvider(issuer, privateKey, clientSecret, redirectUris)),
  );
  await listen(inner);
  const asked = new Map<string, number>();
  const standIn: StandInIdentityProvider = {
    issuer,
    clientId: CLIENT_ID,
    clientSecret,
    requestCounts: asked,
    overrideAnswer: undefined,
    signed: (claims, header = {}) => sign({ privateKey, clientSecret }, claims, header),
    stop: () => {
      isStopped = true;
      front.closeAllConnections();
    },
    start: () => {
      isStopped = false;
    },
    close: async () => {
      await close(front);
      await close(inner);
    },
  };
  const innerPort = (inner.address() as AddressInfo).port;
  front.on('request', (request: IncomingMessage, response: ServerResponse) => {
    const path = (request.url ?? '/').split('?')[0] ?? '/';
    asked.set(path, (asked.get(path) ?? 0) + 1);
    const passedOn = forward({
      port: innerPort,
      path: request.url,
      method: request.method,
      headers: request.headers,
    });
    passedOn.on('error', () => response.destroy());
    passedOn.on('response', async (answer) => {
      const body = (await buffer(answer)).toString();
      if (standIn.overrideAnswer?.(path, response, body)) return;
      response.writeHead(answer.statusCode ?? 500, answer.headers).end(body);
    });
    request.pipe(passedOn);
  });
  return standIn;
}

async function createProvider(
  issuer: string,
  privateKey: KeyObject,
  clientSecret: string,
  redirectUris: readonly string[],
) {
  const { default: Provider } = await import('oidc-provider');
  const provider = new Provider(issuer, {
    clients: [{ client_id: CLIENT_ID, client_secret: clientSecret, redirect_uris: [...redirectUris] }],
    jwks: { keys: [{ ...privateKey.export({ format: 'jwk' }), kid: 'only', use: 'sig', alg: 'RS256' }] },
    cookies: { keys: [randomBytes(16).toString('hex')] },
    pkce: { required: () => true },
    ttl: { Interaction: 600, Session: 600, Grant: 600, AuthorizationCode: 60, AccessToken: 60, IdToken: 600 },
    claims: { openid: ['sub'], profile: ['preferred_username'] },
    findAccount: (_context: unknown, id: string) => ({
      accountId: id,
      claims: async () => ({ sub: id, preferred_username: id }),
    }),
  });
  return provider.callback();
}

/** Suppresses the library's console warnings about its development login form and the Node version. */
async function quietly<Result>(work: () => Promise<Result>): Promise<Result> {
  const { info, warn } = console;
  Object.assign(console, { info: () => undefined, warn: () => undefined });
  try {
    return await work();
  } finally {
    Object.assign(console, { info, warn });
  }
}

function sign(
  { privateKey, clientSecret }: { privateKey: KeyObject; clientSecret: string },
  claims: object,
  header: { alg?: string },
): string {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const text = `${part({ alg: 'RS256', kid: 'only', ...header })}.${part(claims)}`;
  switch (header.alg) {
    case 'none':
      return `${text}.`;
    case 'HS256':
      return `${text}.${createHmac('sha256', clientSecret).update(text).digest('base64url')}`;
    default:
      return `${text}.${createSign('sha256').update(text).sign(privateKey).toString('base64url')}`;
  }
}

function listen(server: Server): Promise<void> {
  return new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve()));
}

function close(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}
