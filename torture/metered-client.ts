import { Agent, request } from 'node:http';

/** Members of the metered route's answers that experiments check. */
export interface AnswerBody {
  ok?: boolean;
  code?: string;
  /** Message of the error. */
  error?: string;
  ledger_id?: string;
  settled?: boolean;
  idempotent?: boolean;
  charge_source?: string;
  balance_after?: { included_used: number; included_credits: number; period_start: string };
  result?: { score_evidence?: { score_version?: string } } | null;
}

export interface Answer {
  status: number;
  body: AnswerBody;
  retryAfter: string | undefined;
}

export interface MeteredCall {
  secret: string;
  idempotencyKey: string;
  subject: string;
  operation?: string;
}

const agent = new Agent({ keepAlive: true, maxSockets: 400 });
const GIVE_UP_MS = 50_000;

/** Makes one call of the metered route. Rejects if no complete answer arrived: connection failure or abort. */
export function callServer(baseUrl: string, call: MeteredCall, signal?: AbortSignal): Promise<Answer> {
  const body = JSON.stringify({
    operation: call.operation ?? 'agent_score',
    subject: call.subject,
    idempotency_key: call.idempotencyKey,
  });
  return new Promise((resolve, reject) => {
    const sent = request(
      `${baseUrl}/api/svc/operations/run`,
      {
        method: 'POST',
        agent,
        timeout: GIVE_UP_MS,
        headers: {
          Authorization: `Bearer ${call.secret}`,
          'Content-Type': 'application/json',
          'Content-Length': Buffer.byteLength(body),
        },
        ...(signal && { signal }),
      },
      (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('error', reject);
        response.on('end', () => {
          if (!response.complete) return reject(new Error('the answer was cut off'));
          resolve({
            status: response.statusCode ?? 0,
            body: bodyOf(Buffer.concat(chunks).toString()),
            retryAfter: response.headers['retry-after'],
          });
        });
      },
    );
    sent.on('timeout', () => sent.destroy(new Error('no answer in time')));
    sent.on('error', reject);
    sent.end(body);
  });
}

/** Parses the body of an answer; empty for other formats, as proxies may send. */
function bodyOf(text: string): AnswerBody {
  try {
    return JSON.parse(text) as AnswerBody;
  } catch {
    return {};
  }
}
