import type { IncomingMessage } from 'node:http';

/** What the service takes at most. */
export const BODY_LIMIT_BYTES = 16 * 1024;

/** The body of a request; null where it is longer than the service takes, and then the rest is left unread. */
export async function readBody(request: IncomingMessage): Promise<Buffer | null> {
  if (Number(request.headers['content-length'] ?? 0) > BODY_LIMIT_BYTES) return null;
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of request.iterator({ destroyOnReturn: false })) {
    length += (chunk as Buffer).length;
    if (length > BODY_LIMIT_BYTES) return null;
    chunks.push(chunk as Buffer);
  }
  return Buffer.concat(chunks);
}

/** The value of a JSON body; undefined where it is none. */
export function parseBody(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString('utf8'));
  } catch {
    return undefined;
  }
}
