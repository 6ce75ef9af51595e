import { usableScore } from '../server/testing/stand-ins/stand-in-backend.ts';
import { type Reply, sendScore } from './scoring-upstream.ts';

const TEN_MEGABYTES = 10 * 1024 * 1024;
const DRIP_MS = 50;

function json(change: (text: string) => string): Reply {
  return (request, response) => {
    response.setHeader('Content-Type', 'application/json');
    response.end(change(JSON.stringify(usableScore(request))));
  };
}

/** Creates a reply with a score whose member `name` has the JSON text `written`, which need not be valid JSON. */
function withMember(name: string, written: string): Reply {
  return json((text) => text.replace(new RegExp(`"${name}":("[^"]*"|[^,]*)`), `"${name}":${written}`));
}

function busy(retryAfter: string | null): Reply {
  return (_request, response) => {
    if (retryAfter !== null) response.setHeader('Retry-After', retryAfter);
    response.writeHead(429).end();
  };
}

function status(code: number, headers: Record<string, string> = {}): Reply {
  return (request, response) => response.writeHead(code, headers).end(JSON.stringify(usableScore(request)));
}

/** Ways in which a reachable scoring backend can fail to return a usable score. */
export const FAULTS: Readonly<Record<string, Reply>> = {
  'reset before the answer': (_request, response) => response.socket?.resetAndDestroy(),
  'reset in the middle of the body': (request, response) => {
    const text = JSON.stringify(usableScore(request));
    response.writeHead(200, { 'Content-Length': String(text.length) });
    response.write(text.slice(0, 50), () => response.socket?.resetAndDestroy());
  },
  'slow drip': (request, response) => {
    const text = JSON.stringify(usableScore(request));
    response.writeHead(200, { 'Content-Length': String(text.length) });
    let sent = 0;
    const dripping = setInterval(() => response.write(text[sent++] ?? ''), DRIP_MS);
    response.on('close', () => clearInterval(dripping));
  },
  hang: () => undefined,
  '429 with Retry-After': busy('1'),
  '429 without Retry-After': busy(null),
  '429 with a senseless Retry-After': busy('soon'),
  '429 with a huge Retry-After': busy('86400'),
  '429 with Retry-After in the past': busy(new Date(0).toUTCString()),
  '500': status(500),
  '503': status(503, { 'Retry-After': '1' }),
  'a redirect to an answer': (request, response, message) =>
    message.url === '/led'
      ? sendScore(request, response)
      : response.writeHead(307, { Location: '/led' }).end(),
  'an empty answer': (_request, response) => response.end(),
  'no JSON': json((text) => text.slice(0, -1)),
  'ten megabytes': json((text) => `${text.slice(0, -1)},"padding":"${'x'.repeat(TEN_MEGABYTES)}"}`),
  incomplete: withMember('status', '"incomplete"'),
  'zero twice': (request, response) =>
    response.end(JSON.stringify(usableScore(request, { trust: 0, confidence: 0, lowerBound: 0 }))),
  NaN: withMember('trust', 'NaN'),
  infinite: withMember('trust', '1e999'),
  'below zero': withMember('trust', '-1'),
  'above a hundred': withMember('trust', '100.0001'),
  'a number as text': withMember('trust', '"90"'),
  'no trust': withMember('trust', 'null'),
  'another type': withMember('subjectType', '"platform"'),
};
