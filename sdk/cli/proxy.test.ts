import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { runCommand } from '../test/command-run.ts';
import { startProxy } from '../test/proxy.ts';
import { record } from '../test/samples.ts';
import { standIn } from '../test/stand-in.ts';

beforeEach(() => void vi.stubEnv('TRUST_DIRECTORY_MAX_RETRIES', '0'));
afterEach(() => void vi.unstubAllEnvs());

const lookup = (url: string, environment: Record<string, string>) =>
  runCommand(['lookup', 'a/b', '--json'], { environment: { TRUST_DIRECTORY_URL: url, ...environment } });

it.each(['HTTP_PROXY', 'http_proxy'])('commands use the proxy of %s', async (name) => {
  const server = await standIn({ body: record });
  const proxy = await startProxy(server.url);

  const { exitCode, stdout, stderr } = await lookup('http://trust.example', { [name]: proxy.url });

  expect(exitCode, stderr).toBe(0);
  expect(JSON.parse(stdout)).toEqual(record);
  expect(proxy.asked).toEqual(['trust.example:80']);
});

it('HTTPS_PROXY is used for https addresses', async () => {
  const server = await standIn({ body: record });
  const proxy = await startProxy(server.url);
  const environment = { HTTPS_PROXY: proxy.url };

  const plain = await lookup(server.url, environment);
  const encrypted = await lookup('https://trust.example', environment);

  expect([plain.exitCode, encrypted.exitCode]).toEqual([0, 6]);
  expect(proxy.asked).toEqual(['trust.example:443']);
});

it('hosts in NO_PROXY are reached directly', async () => {
  const server = await standIn({ body: record });
  const proxy = await startProxy(server.url);

  const { exitCode } = await lookup(server.url, { HTTP_PROXY: proxy.url, NO_PROXY: '127.0.0.1' });

  expect(exitCode).toBe(0);
  expect(proxy.asked).toEqual([]);
});

it.each([
  ['HTTP_PROXY', 'nonsense'],
  ['http_proxy', 'proxy.example.org:3128'],
  ['HTTP_PROXY', 'http://'],
  ['HTTPS_PROXY', 'http://proxy.example:99999'],
  ['https_proxy', 'http://someone:se%cret@proxy.example'],
])('an address that no proxy can have ends the command with 2: %s=%s', async (name, value) => {
  const server = await standIn({ body: record });

  const { exitCode, stderr } = await lookup(server.url, { [name]: value });

  expect(exitCode, stderr).toBe(2);
  expect(stderr).toContain(`${name.toUpperCase()} must be a proxy address`);
  expect(stderr).not.toContain('se%cret');
  expect(server.seen).toEqual([]);
});
