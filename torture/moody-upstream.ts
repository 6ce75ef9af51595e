import { usableScore } from '../server/testing/stand-ins/stand-in-backend.ts';
import type { Random } from './random.ts';
import { type Reply, scoreAfter } from './scoring-upstream.ts';

/** Simulates an unreliable scoring backend: mostly fast, sometimes slow, refusing, busy, unusable or silent. */
export function moody(random: Random): Reply {
  const quick = scoreAfter(() => random.below(15));
  const slow = scoreAfter(() => 100 + random.below(300));
  return (request, response, message) => {
    const luck = random.next();
    if (luck < 0.88) return quick(request, response, message);
    if (luck < 0.91) return slow(request, response, message);
    if (luck < 0.94) return response.writeHead(500).end('{}');
    if (luck < 0.96) return response.writeHead(429, { 'Retry-After': '0' }).end();
    if (luck < 0.98) return response.end(JSON.stringify(usableScore(request, { status: 'incomplete' })));
    if (luck < 0.99) return response.destroy();
    // Never answer, so that the attempt reaches its timeout.
    return undefined;
  };
}
