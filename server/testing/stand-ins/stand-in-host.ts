import { createHash } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createHostCatalogue, type HostUrl } from '../../src/platform/config/known-hosts.ts';
import type { StandInAnswer } from './stand-in-answer.ts';
import { answerOf } from './stand-in-host-answers.ts';
import { emptyWorld, type StandInWorld } from './stand-in-host-world.ts';

/** Fault that replaces the answer to the next request. */
type Trouble =
  | {
      readonly kind: 'answer';
      readonly status: number;
      readonly headers?: Record<string, string>;
      readonly body?: string;
    }
  /** Sends the headers and half of a body, then stalls. */
  | { readonly kind: 'stall' }
  /** Sends more bytes than any reader accepts. */
  | { readonly kind: 'endless' }
  /** Closes the connection without an answer. */
  | { readonly kind: 'hang_up' };

/** A request as received. */
interface SeenRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly status: number;
}

/** One local HTTP server that plays all hosts; they show the content of `world`. */
export interface StandInHost {
  readonly world: StandInWorld;
  readonly requests: SeenRequest[];
  /** URLs for the configuration of services. */
  readonly hostApiUrls: readonly HostUrl[];
  /** Value of the environment variable HOST_API_URLS for a process. */
  readonly environment: string;
  /** Queues faults for the next requests, in order. */
  trouble(...troubles: Trouble[]): void;
  /** Clears the queued faults and returns how many there were. */
  calm(): number;
  /** Limits GitHub to this many further requests, not counting conditional hits. */
  allow(remaining: number, resetSeconds: number): void;
  /** Runs while a request waits for its answer. */
  onRequest(work: ((path: string) => Promise<void>) | null): void;
  close(): Promise<void>;
}

/** Starts the stand-in on a free port of the loopback. */
export async function startStandInHost(): Promise<StandInHost> {
  const world = emptyWorld();
  const requests: SeenRequest[] = [];
  const troubles: Trouble[] = [];
  const state = {
    remaining: null as number | null,
    resetSeconds: 0,
    work: null as ((path: string) => Promise<void>) | null,
  };
  const server = createServer(async (request, response) => {
    const path = request.url ?? '/';
    const body = await textOf(request);
    await state.work?.(path);
    const trouble = troubles.shift();
    if (trouble) makeTrouble(trouble, response);
    else send(request, response, limit(state, path, request, answerOf(world, path, body)));
    const { method = '', headers } = request;
    requests.push({ method, path, headers, status: response.statusCode });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const hostApiUrls = [...createHostCatalogue([]).values()].map(({ host, api }) => ({
    host,
    api: null,
    url: `${origin}/${api}`,
  }));
  return {
    world,
    requests,
    hostApiUrls,
    environment: hostApiUrls.map(({ host, url }) => `${host}=${url}`).join(','),
    trouble: (...more) => void troubles.push(...more),
    calm: () => troubles.splice(0).length,
    allow(remaining, resetSeconds) {
      state.remaining = remaining;
      state.resetSeconds = resetSeconds;
    },
    onRequest(work) {
      state.work = work;
    },
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

async function textOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
}

function makeTrouble(trouble: Trouble, response: ServerResponse): void {
  switch (trouble.kind) {
    case 'answer':
      response.writeHead(trouble.status, trouble.headers ?? {}).end(trouble.body ?? '{"message":"trouble"}');
      return;
    case 'stall':
      response.writeHead(200, { 'content-type': 'application/json' }).write('{"id":');
      return;
    case 'endless':
      response.writeHead(200, { 'content-type': 'application/json' }).end(`"${'x'.repeat(2_000_000)}"`);
      return;
    case 'hang_up':
      response.destroy();
  }
}

interface Limits {
  remaining: number | null;
  resetSeconds: number;
}

/**
 * Applies GitHub's rate limit: every answer shows the remaining requests, conditional hits are free, and 403 means
 * exhausted.
 */
function limit(limits: Limits, path: string, request: IncomingMessage, answer: StandInAnswer): StandInAnswer {
  if (limits.remaining === null || !path.startsWith('/github/')) return answer;
  const headers = { 'x-ratelimit-reset': String(Math.floor(Date.now() / 1_000) + limits.resetSeconds) };
  if (limits.remaining === 0) {
    return {
      status: 403,
      body: '{"message":"rate limit"}',
      headers: { ...headers, 'x-ratelimit-remaining': '0' },
    };
  }
  if (request.headers['if-none-match'] !== etagOf(answer.body)) limits.remaining -= 1;
  const left = { ...headers, 'x-ratelimit-remaining': String(limits.remaining) };
  return { ...answer, headers: { ...answer.headers, ...left } };
}

function etagOf(body: string): string {
  return `W/"${createHash('sha1').update(body).digest('hex')}"`;
}

function send(request: IncomingMessage, response: ServerResponse, answer: StandInAnswer): void {
  const { status, body, headers = {} } = answer;
  if (status !== 200) {
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(body);
    return;
  }
  const etag = etagOf(body);
  const isHit = request.headers['if-none-match'] === etag;
  response.writeHead(isHit ? 304 : 200, { etag, ...headers }).end(isHit ? undefined : body);
}
