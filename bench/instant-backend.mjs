// A scoring backend behind HTTP that answers at once, in a process of its own: what the embedded method says of a subject
// the first time, and the same bytes from then on.
import { createServer } from 'node:http';
import { loadContract } from '../server/src/http/contract/parse-contract.ts';
import { scoreByMethod } from '../server/src/scoring/embedded/embedded-backend.ts';
import { createRequestReader } from '../server/src/scoring-process/read-scoring-request.ts';
import { answerOrders } from './child.mjs';

const readRequest = createRequestReader(loadContract());
const answers = new Map();

function answerTo(body) {
  const request = JSON.parse(body);
  const known = answers.get(request.subject.id);
  if (known) return known;
  const answer = JSON.stringify(scoreByMethod(readRequest(request)));
  answers.set(request.subject.id, answer);
  return answer;
}

const server = createServer((request, response) => {
  const chunks = [];
  request.on('data', (chunk) => chunks.push(chunk));
  request.on('end', () => {
    const answer = answerTo(Buffer.concat(chunks).toString());
    response.writeHead(200, {
      'Content-Type': 'application/json',
      'Content-Length': Buffer.byteLength(answer),
    });
    response.end(answer);
  });
});
server.keepAliveTimeout = 75_000;

answerOrders(async () => {
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { url: `http://127.0.0.1:${server.address().port}/score` };
});
