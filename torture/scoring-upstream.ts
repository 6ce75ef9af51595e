import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { ScoreRequest } from '../server/src/scoring/scoring-backend.ts';
import { usableScore } from '../server/testing/stand-ins/stand-in-backend.ts';

/** Answers one call of the scoring backend in any way, or never. */
export type Reply = (request: ScoreRequest, response: ServerResponse, message: IncomingMessage) => unknown;

/** A scoring backend in the test's process, so that the backend and its log outlive killed servers. */
export interface ScoringUpstream {
  readonly url: string;
  /** Number of calls per run. */
  readonly calls: ReadonlyMap<string, number>;
  behave(reply: Reply): void;
  /** Resolves with the run id of the next call. */
  nextCall(): Promise<string>;
  close(): Promise<void>;
}

export function sendScore(request: ScoreRequest, response: ServerResponse): void {
  response.setHeader('Content-Type', 'application/json');
  response.end(JSON.stringify(usableScore(request)));
}

/** Creates a reply that sends a usable score after a delay. */
export function scoreAfter(delayMs: number | (() => number)): Reply {
  return (request, response) => {
    const wait = typeof delayMs === 'number' ? delayMs : delayMs();
    if (wait === 0) return sendScore(request, response);
    setTimeout(() => sendScore(request, response), wait);
  };
}

/** Opens a scoring backend on loopback that answers at once by default. */
export async function openUpstream(): Promise<ScoringUpstream> {
  let reply: Reply = scoreAfter(0);
  const calls = new Map<string, number>();
  const waiting: ((runId: string) => void)[] = [];
  const server = createServer(async (message, response) => {
    const chunks: Buffer[] = [];
    response.on('error', () => undefined);
    try {
      for await (const chunk of message) chunks.push(chunk);
    } catch {
      return;
    }
    const request = JSON.parse(Buffer.concat(chunks).toString()) as ScoreRequest;
    const runId = String(message.headers['idempotency-key']);
    calls.set(runId, (calls.get(runId) ?? 0) + 1);
    for (const tell of waiting.splice(0)) tell(runId);
    reply(request, response, message);
  });
  server.keepAliveTimeout = 0;
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/score`,
    calls,
    behave(next) {
      reply = next;
    },
    nextCall: () => new Promise((resolve) => waiting.push(resolve)),
    async close() {
      server.close().closeAllConnections();
      if (server.listening) await once(server, 'close');
    },
  };
}
