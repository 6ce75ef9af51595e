import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { onTestFinished } from 'vitest';

/** Proxy on loopback that records the addresses that clients requested. */
interface Proxy {
  readonly url: string;
  readonly asked: string[];
}

/** Starts a proxy that forwards every connection to the server at this URL, until the test ends. */
export async function startProxy(leadsTo: string): Promise<Proxy> {
  const { port } = new URL(leadsTo);
  const asked: string[] = [];
  const server = createServer();
  server.on('connect', ({ url = '' }, near) => {
    asked.push(url);
    const far = connect(Number(port), '127.0.0.1', () => {
      near.write('HTTP/1.1 200 Connected\r\n\r\n');
      near.pipe(far).pipe(near);
    });
    for (const socket of [near, far])
      socket.on('error', () => {
        near.destroy();
        far.destroy();
      });
    onTestFinished(() => void far.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked };
}
