import { once } from 'node:events';
import { createServer, type Server, type Socket } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';
import { afterEach, describe, expect, it } from 'vitest';
import { selfSigned } from '../../../testing/stand-ins/self-signed.ts';
import { askBackend, ScoringFailed } from '../../operations/ask-backend.ts';
import type { ScoreRequest } from '../scoring-backend.ts';
import { type ClosableBackend, createHttpBackend } from './create-backend.ts';

/** Timings long enough for any machine, for backends that answer immediately. */
const PATIENT = { attemptMs: 15_000, budgetMs: 60_000, retryAfterCapMs: 50 };
/** Timings for a backend that never finishes its answer. */
const IMPATIENT = { attemptMs: 300, budgetMs: 20_000, retryAfterCapMs: 50 };

const opened: { server: Server; sockets: Set<Socket> }[] = [];
const backends: ClosableBackend[] = [];

afterEach(async () => {
  for (const backend of backends.splice(0)) await backend.close();
  for (const { server, sockets } of opened.splice(0)) {
    server.close();
    for (const socket of sockets) socket.destroy();
  }
});

/** Listens on loopback and returns the port. */
async function listen(server: Server): Promise<number> {
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    socket.on('error', () => undefined);
    sockets.add(socket);
  });
  opened.push({ server, sockets });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return (server.address() as { port: number }).port;
}

/** Starts a raw TCP peer that receives every request and can write anything. */
async function rawPeer(onRequest: (socket: Socket, count: number) => void): Promise<number> {
  let requests = 0;
  return listen(
    createServer((socket) => {
      socket.on('data', (data) => {
        if (!data.toString('latin1').startsWith('POST ')) return;
        requests += 1;
        onRequest(socket, requests);
      });
    }),
  );
}

function requestOf(runId: string | null = '01a1f83b-fa57-7c41-9e0b-5d2f8a6c1e47'): ScoreRequest {
  const subject = { id: 'b6f0a1de-52c7-4e0a-9c2b-7d41f0e35a88', type: 'agent', name: 'A', repository: 'o/r' };
  return { operation: 'agent_score', runId, subject, facts: {}, now: new Date() } as unknown as ScoreRequest;
}

/** Requests a score as a metered call does; returns the fail code, or `accepted`, and the message for the log. */
async function ask(
  url: string,
  { request = requestOf(), timings = PATIENT } = {},
): Promise<{ code: string; log: string; ms: number }> {
  const backend = createHttpBackend(url, 't');
  backends.push(backend);
  const begun = performance.now();
  const outcome = await askBackend(backend, request, timings).catch((error: unknown) => error);
  const ms = performance.now() - begun;
  if (!(outcome instanceof Error)) return { code: 'accepted', log: '', ms };
  if (!(outcome instanceof ScoringFailed)) throw outcome;
  return { code: outcome.code, log: outcome.message, ms };
}

const USABLE = JSON.stringify({ subjectType: 'agent', status: 'partial', trust: 41.5, confidence: 29.6 });

function answer(body: string, head = 'HTTP/1.1 200 OK'): string {
  return `${head}\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;
}

const plain = (port: number) => `http://127.0.0.1:${port}/score`;
const secure = (port: number) => `https://127.0.0.1:${port}/score`;

describe('a scoring backend that answers badly', () => {
  const MARK = 'do-not-repeat-me';
  const cases: [string, string, string][] = [
    ['nothing', answer(''), 'upstream'],
    ['no JSON', answer(`<h1>${MARK}</h1>`), 'upstream'],
    ['half of a JSON text', answer(`{"trust": 4, "${MARK}`), 'upstream'],
    ['JSON that is no score', answer(`["${MARK}"]`), 'upstream_rejected'],
    ['a score with a text for a number', answer(`{"trust":"${MARK}"}`), 'upstream_rejected'],
    ['compressed bytes', answer(MARK, 'HTTP/1.1 200 OK\r\nContent-Encoding: gzip'), 'upstream'],
    ['no HTTP', `${MARK}\r\n\r\n`, 'upstream'],
    ['an error', answer(MARK, 'HTTP/1.1 500 Oh'), 'upstream'],
    ['no permission', answer(MARK, 'HTTP/1.1 401 No'), 'upstream'],
    ['a created thing', answer(USABLE, 'HTTP/1.1 201 Created'), 'upstream'],
    ['a length that it does not keep to', 'HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n{}', 'upstream'],
    ['a body cut in the middle', 'HTTP/1.1 200 OK\r\nContent-Length: 900\r\n\r\n{"trust"', 'upstream'],
    ['headers without end', `HTTP/1.1 200 OK\r\n${`X-A: ${'a'.repeat(500)}\r\n`.repeat(200)}`, 'upstream'],
  ];

  it.each(cases)('with %s fails the call, and none of its text is repeated', async (_what, text, code) => {
    const port = await rawPeer((socket) => socket.end(text));

    const outcome = await ask(plain(port));

    expect(outcome.code).toBe(code);
    expect(outcome.log).not.toContain(MARK);
  });

  it('with 10 MB fails the call, and is cut off after the first 256 KiB', async () => {
    let sent = 0;
    const port = await rawPeer((socket) => {
      socket.write('HTTP/1.1 200 OK\r\nContent-Length: 10485760\r\n\r\n');
      const more = () => {
        while (sent < 10_485_760 && !socket.destroyed) {
          sent += 65_536;
          if (!socket.write(Buffer.alloc(65_536, 'x'))) return void socket.once('drain', more);
        }
      };
      more();
    });

    expect((await ask(plain(port))).code).toBe('upstream');
    expect(sent).toBeLessThan(10_485_760);
  });

  it('with just 256 KiB is still read', async () => {
    const filled = (bytes: number) =>
      USABLE.replace('{', `{"note":"${'x'.repeat(bytes - USABLE.length - 10)}",`);
    const bodies = [filled(256 * 1024), filled(256 * 1024 + 1)];
    expect(bodies.map((body) => body.length)).toEqual([262_144, 262_145]);
    const port = await rawPeer((socket) => socket.end(answer(bodies.shift() ?? '')));

    expect((await ask(plain(port))).code).toBe('accepted');
    expect((await ask(plain(port))).code).toBe('upstream');
  });

  it.each([
    ['headers', 'HTTP/1.1 200 OK\r\n', 'X-A: 1\r\n'],
    ['a body', 'HTTP/1.1 200 OK\r\nContent-Length: 9000\r\n\r\n', ' '],
    ['the body of an error', 'HTTP/1.1 500 Oh\r\nContent-Length: 9000\r\n\r\n', ' '],
    ['the body of a 429', 'HTTP/1.1 429 Busy\r\nContent-Length: 9000\r\n\r\n', ' '],
    ['interim answers', '', 'HTTP/1.1 103 Early Hints\r\n\r\n'],
    ['requests to continue', '', 'HTTP/1.1 100 Continue\r\n\r\n'],
  ])('with %s that drip without end is given up with the attempt', async (_what, start, drop) => {
    const port = await rawPeer((socket) => {
      socket.write(start);
      const drip = setInterval(() => socket.write(drop), 20);
      socket.once('close', () => clearInterval(drip));
    });

    const { code, ms } = await ask(plain(port), { timings: IMPATIENT });

    expect(code).toBe('upstream_timeout');
    expect(ms).toBeLessThan(IMPATIENT.budgetMs / 2);
  });

  it('with silence is given up with the attempt', async () => {
    expect((await ask(plain(await rawPeer(() => undefined)), { timings: IMPATIENT })).code).toBe(
      'upstream_timeout',
    );
  });
});

describe('an unrequested interim response', () => {
  const CONTINUE = 'HTTP/1.1 100 Continue\r\n\r\n';
  const FINAL = answer(USABLE);

  it.each([
    ['100', [CONTINUE, FINAL]],
    ['100 in one piece with the answer', [CONTINUE + FINAL]],
    ['100 with headers, twice', [`HTTP/1.1 100 Continue\r\nDate: x\r\n\r\n${CONTINUE}`, FINAL]],
    ['100 without a phrase, of HTTP/1.0', ['HTTP/1.0 100\r\n\r\n', FINAL]],
    ['100 byte by byte', [...CONTINUE, ...FINAL]],
    ['102', ['HTTP/1.1 102 Processing\r\n\r\n', FINAL]],
    ['103 after 100', [CONTINUE, 'HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n', FINAL]],
  ])('(%s) is passed over, also on a connection that is used again', async (_what, pieces) => {
    const sockets = new Set<Socket>();
    const port = await rawPeer((socket) => {
      sockets.add(socket);
      const write = ([piece, ...rest]: string[]) => {
        if (piece !== undefined) socket.write(piece, () => setImmediate(write, rest));
      };
      write(pieces);
    });
    const backend = createHttpBackend(plain(port), 't');
    backends.push(backend);

    for (let call = 0; call < 5; call += 1) {
      expect(await askBackend(backend, requestOf(), PATIENT)).toMatchObject({
        subjectId: requestOf().subject.id,
      });
    }
    expect(sockets.size).toBeLessThan(5);
  });

  it('does not hide what looks like one within an answer', async () => {
    const body = USABLE.replace('{', `{"note":"${CONTINUE.replaceAll('\r\n', ' ')}",`);
    const [head = '', rest = ''] = answer(body).split(/(?<="note":")/);
    const port = await rawPeer((socket) => socket.write(head, () => setImmediate(() => socket.write(rest))));

    expect((await ask(plain(port))).code).toBe('accepted');
  });
});

/** Starts a server that sends an HTTP response after any input, without TLS. */
const speaksPlain = () =>
  listen(createServer((socket) => socket.once('data', () => socket.end(answer(USABLE)))));

describe('a scoring backend that cannot be reached', () => {
  it('because nothing listens there, fails the call', async () => {
    const port = await rawPeer(() => undefined);
    opened.splice(0).forEach(({ server }) => void server.close());

    expect((await ask(plain(port))).code).toBe('upstream');
  });

  it.each([
    ['speaks no TLS', speaksPlain],
    ['has no certificate', async () => listen(createTlsServer({}))],
    [
      'has a certificate that nobody vouches for',
      async () => listen(createTlsServer(selfSigned('127.0.0.1'), (socket) => socket.end(answer(USABLE)))),
    ],
  ])('over TLS because it %s, fails the call', async (_what, start) => {
    expect((await ask(secure(await start()))).code).toBe('upstream');
  });
});

describe('a connection that breaks', () => {
  it('before the answer begins fails the attempt, which is one request', async () => {
    let seen = 0;
    const port = await rawPeer((socket, count) => {
      seen = count;
      if (count === 1) socket.resetAndDestroy();
      else socket.end(answer(USABLE));
    });

    expect({ ...(await ask(plain(port))), seen }).toMatchObject({ code: 'upstream', seen: 1 });
  });

  it('in the middle of the answer fails the attempt too', async () => {
    let seen = 0;
    const port = await rawPeer((socket, count) => {
      seen = count;
      socket.write('HTTP/1.1 200 OK\r\nContent-Length: 900\r\n\r\n{', () => socket.resetAndDestroy());
    });

    expect({ ...(await ask(plain(port))), seen }).toMatchObject({ code: 'upstream', seen: 1 });
  });
});
