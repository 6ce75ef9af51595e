// The load of the reads bench, in a process of its own: GET requests over kept-alive connections, each answer read whole.
import { connect } from 'node:net';

const HEADERS_END = Buffer.from('\r\n\r\n');

/** One connection that asks for one address after the other, without any client library in between. */
async function ask(host, port, next, until) {
  const socket = connect({ host, port, noDelay: true });
  let count = 0;
  await new Promise((resolve, reject) => {
    let seen = Buffer.alloc(0);
    let missing = -1;
    const send = () => {
      const path = next();
      if (path === undefined || performance.now() >= until) return socket.end(resolve);
      socket.write(`GET ${path} HTTP/1.1\r\nHost: ${host}:${port}\r\n\r\n`);
    };
    socket.on('connect', send).on('error', reject);
    socket.on('data', (chunk) => {
      if (missing < 0) {
        seen = seen.length === 0 ? chunk : Buffer.concat([seen, chunk]);
        const end = seen.indexOf(HEADERS_END);
        if (end < 0) return;
        const head = seen.toString('latin1', 0, end);
        if (!head.startsWith('HTTP/1.1 200')) return reject(new Error(head.split('\r\n')[0]));
        missing = Number(/content-length: (\d+)/i.exec(head)[1]) - (seen.length - end - HEADERS_END.length);
      } else missing -= chunk.length;
      if (missing > 0) return;
      [seen, missing] = [Buffer.alloc(0), -1];
      count += 1;
      send();
    });
  });
  return count;
}

/** Asks for these addresses in turn for so long, or (`once`) for each of them once; answers how many a second. */
async function run({ origin, paths, connections, seconds, once }) {
  const { hostname, port } = new URL(origin);
  let place = 0;
  const next = () => {
    const path = once ? paths[place] : paths[place % paths.length];
    place += 1;
    return path;
  };
  const startedAt = performance.now();
  const until = once ? Number.POSITIVE_INFINITY : startedAt + seconds * 1_000;
  const counts = await Promise.all(
    Array.from({ length: connections }, () => ask(hostname, Number(port), next, until)),
  );
  const count = counts.reduce((sum, each) => sum + each, 0);
  return { count, perSecond: count / ((performance.now() - startedAt) / 1_000) };
}

process.on('message', (order) => {
  run(order).then(
    (figures) => process.send({ figures }),
    (error) => process.send({ error: error.message }),
  );
});
