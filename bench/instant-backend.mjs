// Runs an HTTP scoring backend that responds at once, in a separate process: it scores a subject with the embedded method
// the first time, and sends the same bytes from then on. It reads no more of a request than necessary, because it shares
// the processor with the measured server.
import { createServer } from 'node:net';
import { createRequestReader } from '../server/src/cli/scoring-process/serve-scoring.ts';
import { loadContract } from '../server/src/platform/http/contract/parse-contract.ts';
import { scoreByMethod } from '../server/src/scoring/embedded/embedded-backend.ts';
import { answerOrders } from './child.mjs';

const END_OF_HEAD = '\r\n\r\n';
const LENGTH = /content-length: (\d+)/i;
const SUBJECT = /"subject":\{"id":"([^"]+)"/;

const readRequest = createRequestReader(loadContract());
const answers = new Map();

function answerTo(body) {
  const id = SUBJECT.exec(body)[1];
  const known = answers.get(id);
  if (known) return known;
  const score = JSON.stringify(scoreByMethod(readRequest(JSON.parse(body))));
  const head = `HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: ${Buffer.byteLength(score)}`;
  const answer = Buffer.from(`${head}${END_OF_HEAD}${score}`);
  answers.set(id, answer);
  return answer;
}

/** Finds the start and end of the first request's body; null if the body is not complete yet. */
function bodyIn(bytes) {
  const headEnds = bytes.indexOf(END_OF_HEAD);
  if (headEnds < 0) return null;
  const from = headEnds + END_OF_HEAD.length;
  const to = from + Number(LENGTH.exec(bytes.toString('latin1', 0, headEnds))[1]);
  return to <= bytes.length ? { from, to } : null;
}

const server = createServer((socket) => {
  let waiting = Buffer.alloc(0);
  socket.on('error', () => undefined);
  socket.on('data', (chunk) => {
    waiting = waiting.length === 0 ? chunk : Buffer.concat([waiting, chunk]);
    for (let body = bodyIn(waiting); body; body = bodyIn(waiting)) {
      socket.write(answerTo(waiting.toString('utf8', body.from, body.to)));
      waiting = waiting.subarray(body.to);
    }
  });
});

answerOrders(async () => {
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { url: `http://127.0.0.1:${server.address().port}/score` };
});
