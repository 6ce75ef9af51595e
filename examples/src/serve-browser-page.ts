import { readFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname } from 'node:path';
import type { Example } from './example.ts';

/** Root of this project, from whose `node_modules` the page loads the package. */
const ROOT = new URL('../../', import.meta.url);
const SERVED = /^\/(examples\/browser|node_modules\/(@trust-directory\/sdk|openapi-fetch)\/dist)\/[\w.-]+$/;
const TYPES: Record<string, string> = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.mjs': 'text/javascript',
};

/** Serves the page in `browser/` until the server closes. The page itself sends its searches to the directory. */
export const browserPage: Example = async (_client, print) => {
  const server = await servePage(Number(process.env.PORT ?? 8080));
  const { port } = server.address() as AddressInfo;
  print(`Open http://127.0.0.1:${port}/examples/browser/index.html`);
  await new Promise((resolve) => server.once('close', resolve));
};

/** Starts serving the page and the modules that it imports, and nothing else. */
export async function servePage(port: number): Promise<Server> {
  const server = createServer(async ({ url = '' }, response) => {
    const { pathname } = new URL(url, 'http://page');
    const body = SERVED.test(pathname)
      ? await readFile(new URL(`.${pathname}`, ROOT)).catch(() => null)
      : null;
    const type = TYPES[extname(pathname)] ?? 'application/octet-stream';
    response.writeHead(body ? 200 : 404, { 'Content-Type': type }).end(body);
  });
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  return server;
}
