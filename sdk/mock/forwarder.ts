import { Agent, createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import { AnsweredKeys } from './answered-keys.ts';
import { contradictedHeaders } from './contradicted-headers.ts';
import { type Answer, exchange, withoutHeaders } from './exchange.ts';
import { isObject, type Plan, planAnswer } from './plan-answer.ts';
import type { Prism } from './prism.ts';
import { parseBody, readBody } from './read-body.ts';
import { requestedDelay } from './requested-delay.ts';

/** A server that hands requests to Prism, tells it which answer was asked for, and mends what it sends back. */
export function createForwarder(prism: Prism): Server {
  const answered = new AnsweredKeys();
  const agent = new Agent({ keepAlive: true });
  const server = createServer((request, response) => {
    forward(prism, agent, answered, request)
      .catch(() => problem(502, 'The mock server gave no answer.'))
      .then((answer) => reply(request, response, answer));
  });
  return server.on('close', () => agent.destroy());
}

async function forward(
  prism: Prism,
  agent: Agent,
  answered: AnsweredKeys,
  request: IncomingMessage,
): Promise<Answer> {
  const { method = 'GET', url = '/', headers } = request;
  const body = await readBody(request);
  if (body === null) return documented(prism, agent, request, 413);

  const { authorization, cookie, prefer } = headers;
  const preference = requestedDelay(Array.isArray(prefer) ? prefer.join(', ') : prefer);
  // A caller who has gone away meanwhile must not keep the process.
  if (preference.delayMs > 0) await wait(preference.delayMs, undefined, { ref: false });
  const asked = { method, url, authorization, cookie, prefer: preference.prefer, body: parseBody(body) };
  const plan = { prefer: preference.prefer, ...planAnswer(asked, answered) };
  const answer = await exchange(prism.url, agent, { method, url, headers: told(request, plan, body), body });
  // Prism answers a request that breaks the schema with 422 where there is one; here that means a reused key.
  if (answer.status === 422 && 'sl-violations' in answer.headers) {
    const { 'sl-violations': violations } = answer.headers;
    const refusal = await documented(prism, agent, request, 400);
    return { ...refusal, headers: { ...refusal.headers, 'sl-violations': violations } };
  }
  if (plan.call && hasResult(answer)) answered.note(plan.call);
  return answer;
}

/** A plan, and what the caller prefers where it has nothing to say about that. */
type Told = Omit<Plan, 'prefer'> & { readonly prefer: string | undefined };

/** The request's headers with what the plan adds. The length is that of the body as it was read. */
function told(request: IncomingMessage, plan: Told, body: Buffer) {
  const isBodiless = request.headers['content-length'] === undefined && body.length === 0;
  return {
    ...withoutHeaders(request.headers, ['content-length', 'prefer']),
    ...(!isBodiless && { 'content-length': body.length }),
    ...(plan.prefer && { prefer: plan.prefer }),
    ...(plan.authorization && { authorization: plan.authorization }),
  };
}

/** The answer that the contract documents for a status, got by a request that Prism has nothing to say against. */
async function documented(
  prism: Prism,
  agent: Agent,
  request: IncomingMessage,
  status: number,
): Promise<Answer> {
  const { method = 'GET', url = '/' } = request;
  const { pathname } = new URL(url, 'http://mock');
  const example = prism.exampleBody(method, pathname);
  if (example === undefined) return problem(status, 'The contract has no such answer here.');
  const body = Buffer.from(JSON.stringify(example));
  const headers = {
    'content-type': 'application/json',
    'content-length': body.length,
    authorization: request.headers.authorization ?? 'Bearer none-needed',
    cookie: request.headers.cookie ?? 'sid=none-needed',
    prefer: `code=${status}`,
  };
  return exchange(prism.url, agent, { method, url: pathname, headers, body });
}

function hasResult({ status, body }: Answer): boolean {
  const value = parseBody(body);
  return status === 200 && isObject(value) && isObject(value.result);
}

function problem(status: number, title: string): Answer {
  return {
    status,
    headers: { 'content-type': 'application/problem+json' },
    body: Buffer.from(JSON.stringify({ type: 'about:blank', title, status })),
  };
}

function reply(request: IncomingMessage, response: ServerResponse, answer: Answer): void {
  const dropped = contradictedHeaders(answer.status, parseBody(answer.body));
  // A body that was not read to its end can't be followed by another request.
  if (!request.complete) response.setHeader('connection', 'close');
  response.writeHead(answer.status, withoutHeaders(answer.headers, dropped));
  response.end(answer.body);
}
