import { Readable } from 'node:stream';
import type { ReadableStream } from 'node:stream/web';
import { BackendBusy } from './backend-busy.ts';
import type { BackendScore, ScoreRequest, ScoringBackend } from './scoring-backend.ts';

const ANSWER_LIMIT_BYTES = 256 * 1024;
const BUSY = 429;
/** When a 429 names no wait; the caller caps it anyway. */
const DEFAULT_RETRY_AFTER_MS = 1_000;

/** Seconds or an HTTP date, as milliseconds from now; never negative. */
function retryAfterMs(header: string | null): number {
  if (header === null) return DEFAULT_RETRY_AFTER_MS;
  const seconds = Number(header);
  const wait = Number.isFinite(seconds) ? seconds * 1000 : Date.parse(header) - Date.now();
  return Number.isNaN(wait) ? DEFAULT_RETRY_AFTER_MS : Math.max(0, wait);
}

/** Reads a body of untrusted length; stops reading at the limit instead of buffering all of it. */
async function readLimited(response: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  if (!response.body) return '';
  for await (const chunk of Readable.fromWeb(response.body as ReadableStream)) {
    size += chunk.byteLength;
    if (size > ANSWER_LIMIT_BYTES) throw new Error(`the answer is larger than ${ANSWER_LIMIT_BYTES} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

/**
 * A scoring backend behind HTTP (the contract's webhook `scoreSubject`). The run's id goes along as idempotency key,
 * redirects are refused, connections are kept alive. What it answers is untrusted: `acceptScore` checks it.
 */
export function createHttpBackend(url: string, token: string): ScoringBackend {
  return {
    source: new URL(url).host,
    async score(request: ScoreRequest, signal: AbortSignal): Promise<BackendScore> {
      const response = await fetch(url, {
        method: 'POST',
        redirect: 'error',
        signal,
        headers: {
          Authorization: `Bearer ${token}`,
          'Content-Type': 'application/json',
          Accept: 'application/json',
          ...(request.runId !== null && { 'Idempotency-Key': request.runId }),
        },
        body: JSON.stringify(request),
      });
      if (response.status === 200) return JSON.parse(await readLimited(response)) as BackendScore;
      await response.body?.cancel();
      if (response.status === BUSY) throw new BackendBusy(retryAfterMs(response.headers.get('retry-after')));
      throw new Error(`the scoring backend answered ${response.status}`);
    },
  };
}
