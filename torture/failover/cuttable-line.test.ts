import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { afterEach, expect, it } from 'vitest';
import { type CuttableLine, openCuttableLine } from './cuttable-line.ts';

const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

/** Opens a server that echoes what it receives, and a line to it. */
async function openEcho(): Promise<CuttableLine> {
  const server = createServer((socket) => void socket.on('error', () => undefined).pipe(socket));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const line = await openCuttableLine((server.address() as AddressInfo).port);
  closing.push(() => server.close(), line.close);
  return line;
}

async function open({ port }: CuttableLine): Promise<Socket> {
  const socket = connect(port, '127.0.0.1');
  closing.push(() => socket.destroy());
  await once(socket, 'connect');
  return socket;
}

const heard = async (socket: Socket) => String((await once(socket, 'data'))[0]);

it('hands on both ways, and what was sent while it was cut only afterwards', async () => {
  const line = await openEcho();
  const before = await open(line);
  before.write('a');
  expect(await heard(before)).toBe('a');

  line.cut(true);
  let early = '';
  before.on('data', (chunk) => {
    early += chunk;
  });
  before.write('b');
  const during = await open(line);
  during.write('c');
  const free = await open(await openEcho());
  // Wait for 20 answers through another proxy: data that had passed the cut proxy would have arrived before them.
  for (let i = 0; i < 20; i += 1) {
    free.write('x');
    await heard(free);
  }
  expect(early).toBe('');

  const answers = [heard(before), heard(during)];
  line.cut(false);
  expect(await Promise.all(answers)).toEqual(['b', 'c']);
});
