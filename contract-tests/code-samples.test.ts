import { fileURLToPath } from 'node:url';
import { balanceOf, changesOf, consoleOf, scoresOf, TrustDirectory } from '@trust-directory/sdk';
import ts from 'typescript';
import { describe, expect, it } from 'vitest';
import { complaintsAbout } from '../sdk/test/compile.ts';
import { SDK_EXAMPLES } from '../server/src/generated/sdk-examples.ts';
import { loadContract } from '../server/src/platform/http/contract/parse-contract.ts';
import { codeSamples, curlSample } from '../server/src/web/public/reference/code-samples.ts';
import { readerIds } from '../server/src/web/public/reference/name-replacements.ts';
import { findEndpoint, readReference } from '../server/src/web/public/reference/reference.ts';
import { judgeRequest, type SentRequest } from './code-samples/check-request.ts';
import { curlRequests } from './code-samples/curl-requests.ts';

const ORIGIN = 'https://trust.example';
const KEY = 'svc_live_0123456789abcdefghijABCDEFGHIJ01234567';

const reference = readReference(loadContract());
const samples = reference.endpoints
  .filter(({ isWebhook }) => !isWebhook)
  .map((endpoint) => {
    const found = codeSamples(endpoint, ORIGIN, new Map());
    const source = (id: string) => found.find((sample) => sample.id === id)?.source ?? '';
    const { operationId, schemes } = endpoint;
    return { operationId, schemes, endpoint, typescript: source('typescript'), curl: source('curl') };
  });

/** Values from the contract's examples that replace the placeholders of samples, such as ids. */
const OWN = Object.fromEntries(
  samples.flatMap(({ endpoint }) =>
    readerIds(endpoint).map(({ name, variable }) => {
      const parameter = endpoint.parameters.find((each) => each.name === name);
      return [variable, String(parameter?.examples[0]?.value)];
    }),
  ),
);

describe('code samples in TypeScript', () => {
  it('compile, each as a module of its own', () => {
    const folder = fileURLToPath(new URL('../sdk/test/', import.meta.url));
    const files = new Map(
      samples.map(({ operationId, typescript }) => [`${folder}sample-${operationId}.ts`, typescript]),
    );

    expect(complaintsAbout(files)).toEqual([]);
  }, 60_000);

  it('show a call of every operation', () => {
    const without = samples.filter(({ operationId }) => !SDK_EXAMPLES[operationId]?.length);

    expect(without).toEqual([]);
  });

  const examples = Object.entries(SDK_EXAMPLES).flatMap(([operationId, codes]) =>
    codes.map((code) => [operationId, code] as const),
  );

  it.each(examples)('call %s, with a request that the contract takes: %s', async (operationId, code) => {
    const sent = await requestsOf(code);

    expect(sent.map(judgeRequest)).toEqual([{ operationId, problems: [] }]);
  });
});

/**
 * Runs an example against a service that refuses every request, so that a list ends with its first page, and returns the
 * requests that it sent.
 */
async function requestsOf(code: string): Promise<SentRequest[]> {
  const sent: SentRequest[] = [];
  const fetch = async (address: string, init: RequestInit) => {
    const request = new Request(address, init);
    const { method, url, headers } = request;
    sent.push({ method, url, headers, body: (await request.text()) || null });
    return new Response('{}', { status: 400 });
  };
  const client = new TrustDirectory({ baseUrl: ORIGIN, apiKey: KEY, fetch });
  const target = ts.ScriptTarget.ES2022;
  const { outputText } = ts.transpileModule(`export const run = async () => {${code}}`, {
    compilerOptions: { target },
  });
  const run = new Function(
    'client',
    'balanceOf',
    'changesOf',
    'consoleOf',
    'scoresOf',
    outputText.replace('export const run =', 'return'),
  );
  await run(client, balanceOf, changesOf, consoleOf, scoresOf)().catch(() => undefined);
  return sent;
}

describe('code samples in curl', () => {
  const sent = curlRequests(
    samples.map(({ curl }) => curl),
    { TRUST_DIRECTORY_API_KEY: KEY, SESSION: 'a-token', ...OWN },
  );

  it.each(samples.map((sample, index) => [sample.operationId, sample.schemes, sent[index]] as const))(
    'call %s, with its credential and a request that the contract takes',
    (operationId, schemes, request) => {
      const { method, url, headers } = request as SentRequest;

      expect(judgeRequest(request as SentRequest)).toEqual({ operationId, problems: [] });
      expect(new URL(url).origin).toBe(ORIGIN);
      const takesKey = schemes.includes('accessKey');
      const takesSession = !takesKey && schemes.includes('session');
      expect(headers.get('authorization')).toBe(takesKey ? `Bearer ${KEY}` : null);
      expect(headers.get('cookie')).toBe(takesSession ? '__Host-sid=a-token' : null);
      expect(headers.get('origin')).toBe(takesSession && method !== 'GET' ? ORIGIN : null);
    },
  );

  it('bring whatever an example holds to the service as it stands', () => {
    const text = `it's "5 \\$" for $HOME, \`ls\` & co; 100%\n#1`;
    const endpoint = structuredClone(findEndpoint(reference, 'registerAgent'));
    Object.assign(endpoint.body?.examples[0]?.value ?? {}, { description: text });

    const command = curlSample(endpoint, ORIGIN, new Map());

    const [request] = curlRequests([command], { TRUST_DIRECTORY_API_KEY: KEY });
    expect(JSON.parse(request?.body ?? '{}').description).toBe(text);
  });
});
