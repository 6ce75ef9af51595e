// Makes an open load, in a separate process: requests are sent at a fixed rate, even while earlier ones are unanswered.
import { connect } from 'node:net';
import { requestText } from './ask-in-turn.mjs';
import { answerOrders } from './child.mjs';

const HEADERS_END = Buffer.from('\r\n\r\n');
const TICK_MS = 2;
/**
 * Maximum number of connections, far more than the calls that a server queues. A request for which no connection is free
 * counts as not sent.
 */
const MOST_CONNECTIONS = 4_000;
const any = (list) => list[Math.floor(Math.random() * list.length)];

/** Opens a pool of connections that are reused; a new one is opened if none is free. */
function openConnections({ hostname, port }) {
  const free = [];
  const all = new Set();
  function open() {
    const socket = connect({ host: hostname, port: Number(port), noDelay: true });
    const connection = { socket, answered: null };
    all.add(connection);
    let chunks = Buffer.alloc(0);
    socket.on('data', (chunk) => {
      chunks = chunks.length === 0 ? chunk : Buffer.concat([chunks, chunk]);
      const end = chunks.indexOf(HEADERS_END);
      if (end < 0) return;
      const head = chunks.toString('latin1', 0, end);
      const length = Number(/\r\ncontent-length: (\d+)/i.exec(head)?.[1] ?? 0);
      if (chunks.length < end + HEADERS_END.length + length) return;
      chunks = Buffer.alloc(0);
      const tell = connection.answered;
      connection.answered = null;
      free.push(connection);
      tell?.(Number(head.slice(9, 12)), /\r\nretry-after: /i.test(head));
    });
    const gone = () => {
      all.delete(connection);
      const tell = connection.answered;
      connection.answered = null;
      tell?.(0, false);
    };
    socket.on('error', gone).on('close', gone);
    return connection;
  }
  return {
    take() {
      for (;;) {
        const connection = free.pop();
        if (!connection) return all.size < MOST_CONNECTIONS ? open() : null;
        if (all.has(connection)) return connection;
      }
    },
    close: () => [...all].map(({ socket }) => socket.destroy()),
  };
}

/**
 * Sends requests from `next()` at a rate for some seconds. Returns when each request was due, how long its answer took,
 * and its status.
 */
async function send(url, perSecond, seconds, next) {
  const connections = openConnections(url);
  const answers = [];
  const startedAt = performance.now();
  let begun = 0;
  let open = 0;
  let allSent = () => undefined;
  const one = (dueAt) => {
    const connection = connections.take();
    const at = (dueAt - startedAt) / 1_000;
    if (!connection) return void answers.push({ at, took: 0, status: -1, says: false });
    open += 1;
    connection.answered = (status, says) => {
      open -= 1;
      answers.push({ at, took: performance.now() - dueAt, status, says });
      if (open === 0) allSent();
    };
    connection.socket.write(next());
  };
  while (performance.now() < startedAt + seconds * 1_000) {
    const due = Math.floor(((performance.now() - startedAt) / 1_000) * perSecond);
    for (; begun < due; begun += 1) one(startedAt + (begun / perSecond) * 1_000);
    await new Promise((resolve) => setTimeout(resolve, TICK_MS));
  }
  if (open > 0)
    await new Promise((resolve) => {
      allSent = resolve;
    });
  connections.close();
  return answers;
}

function calls({ baseUrl, keys, subjects }) {
  const url = new URL(baseUrl);
  return () => {
    const call = { operation: 'agent_score', subject: any(subjects), idempotency_key: crypto.randomUUID() };
    const headers = { Authorization: `Bearer ${any(keys)}`, 'Content-Type': 'application/json' };
    const body = JSON.stringify(call);
    return requestText({ method: 'POST', path: '/api/svc/operations/run', headers, body }, url);
  };
}

function reads({ baseUrl, keys, subjects }) {
  const url = new URL(baseUrl);
  let place = 0;
  return () => {
    place += 1;
    const headers = { Authorization: `Bearer ${any(keys)}` };
    if (place % 2 === 0) return requestText({ path: '/api/receipts?limit=5', headers }, url);
    return requestText({ path: `/api/agents/${any(subjects)}` }, url);
  };
}

const NEXT = { calls, reads };
answerOrders(async ({ load, perSecond, seconds, ...order }) => ({
  answers: await send(new URL(order.baseUrl), perSecond, seconds, NEXT[load](order)),
}));
