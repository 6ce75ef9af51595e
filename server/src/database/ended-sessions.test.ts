import { once } from 'node:events';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { withAdvisoryLock } from './advisory-lock.ts';
import { connect } from './connect.ts';
import { createDatabaseOnce } from './embedded/create-database.ts';

/** One message of PostgreSQL's protocol: its letter, its length, its content. */
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

/** A PostgreSQL that is told to end in the moment in which a session begins, so that both come in one piece. */
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

it('one that was to hold a lock does not either', async () => {
  await expect(withAdvisoryLock(url, 1, async () => undefined)).rejects.toThrow();
});

it('one that was to make the embedded database does not either', async () => {
  await expect(createDatabaseOnce(url)).rejects.toThrow();
});
