import { once } from 'node:events';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createDatabaseOnce } from '../embedded-postgres/prepare-cluster.ts';
import { withAdvisoryLock } from './advisory-lock.ts';
import { connect } from './connect.ts';

/** Builds a message of PostgreSQL's protocol: letter, length, content. */
function message(letter: string, content: Buffer): Buffer {
  const head = Buffer.alloc(5, letter);
  head.writeInt32BE(content.length + 4, 1);
  return Buffer.concat([head, content]);
}

const AUTHENTICATED = message('R', Buffer.alloc(4));
const READY = message('Z', Buffer.from('I'));
const ENDED = message('E', Buffer.from('SFATAL\0C57P01\0Mterminating connection\0\0'));

let server: Server;
let url: string;

/** Starts a fake PostgreSQL that reports a shutdown together with its first bytes. */
beforeAll(async () => {
  server = createServer((socket) => {
    socket.once('data', () => socket.end(Buffer.concat([AUTHENTICATED, READY, ENDED])));
    socket.on('error', () => undefined);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  url = `postgres://somebody@127.0.0.1:${(server.address() as AddressInfo).port}/nothing`;
});
afterAll(() => void server.close());

it('a session that the server ends with its first bytes fails its statement, not the process', async () => {
  const database = connect(url);

  await expect(database.query('SELECT 1 AS one')).rejects.toThrow();

  await database.close();
});

it('a session for a lock does not end the process either', async () => {
  await expect(withAdvisoryLock(url, 1, async () => undefined)).rejects.toThrow();
});

it('a session that creates the embedded database does not end the process either', async () => {
  await expect(createDatabaseOnce(url)).rejects.toThrow();
});
