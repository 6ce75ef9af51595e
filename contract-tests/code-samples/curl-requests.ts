import { spawnSync } from 'node:child_process';
import type { SentRequest } from './check-request.ts';

/** Shell function that replaces curl: it prints its arguments, each after a NUL, and two NULs after each call. */
const STAND_IN = `curl() { for word in "$@"; do printf '\\000%s' "$word"; done; printf '\\000\\000'; }`;

/** Options of the samples that take a value. */
const VALUED = ['-X', '-H', '-b', '-d'];

/** Returns the requests that curl commands send, with arguments as a shell passes them to curl, in order. */
export function curlRequests(commands: readonly string[], env: Record<string, string>): SentRequest[] {
  const { stdout, stderr } = spawnSync('sh', ['-euc', [STAND_IN, ...commands].join('\n')], {
    env: { ...env },
    encoding: 'utf8',
  });
  if (stderr !== '') throw new Error(`a sample is no command: ${stderr}`);
  const calls = stdout.split('\0\0').slice(0, -1);
  return calls.map((call) => requestOf(call.split('\0').slice(1)));
}

function requestOf(words: readonly string[]): SentRequest {
  const valuesOf = (option: string) => words.filter((_word, index) => words[index - 1] === option);
  const urls = words.filter(
    (word, index) => !VALUED.includes(word) && !VALUED.includes(words[index - 1] ?? ''),
  );
  const [body = null] = valuesOf('-d');
  const headers = new Headers(valuesOf('-H').map((line) => line.split(/: (.*)/, 2) as [string, string]));
  for (const cookie of valuesOf('-b')) headers.set('cookie', cookie);
  const [method = body === null ? 'GET' : 'POST'] = valuesOf('-X');
  return { method, url: urls.join(' '), headers, body };
}
