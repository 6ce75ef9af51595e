import { SDK_EXAMPLES } from '../../generated/sdk-examples.ts';
import { curlSample } from './curl-sample.ts';
import { ownIds } from './own-ids.ts';
import type { Endpoint } from './reference.ts';
import type { RealNames } from './sample-subjects.ts';

/** How an endpoint is called, in one language. */
export interface CodeSample {
  readonly id: 'curl' | 'typescript';
  readonly label: string;
  readonly source: string;
}

/** How an endpoint is called at an origin, without the SDK and with it; nothing where this service is the caller. */
export function codeSamples(endpoint: Endpoint, origin: string, names: RealNames): CodeSample[] {
  if (endpoint.isWebhook) return [];
  return [
    { id: 'curl', label: 'curl', source: curlSample(endpoint, origin, names) },
    { id: 'typescript', label: 'TypeScript', source: sdkSample(endpoint, origin, names) },
  ];
}

/** A whole program: the SDK's own examples of the endpoint, and a client at this origin for them. */
function sdkSample(endpoint: Endpoint, origin: string, names: RealNames): string {
  const { operationId, schemes } = endpoint;
  const written = (SDK_EXAMPLES[operationId] ?? []).join('\n\n');
  const { calls, constants } = withOwnIds(named(written, names), endpoint);
  const imported = calls.includes('consoleOf(') ? 'consoleOf, TrustDirectory' : 'TrustDirectory';
  const notes = [
    ...(schemes.includes('accessKey') ? ['// Reads the access key from TRUST_DIRECTORY_API_KEY.'] : []),
    ...(imported === 'TrustDirectory'
      ? []
      : ['// On a page of this service: the browser sends your session.']),
  ];
  const client = `const client = new TrustDirectory({ baseUrl: '${origin}' });`;
  return [
    `import { ${imported} } from '@trust-directory/sdk';`,
    '',
    ...notes,
    client,
    ...constants,
    '',
    calls,
  ].join('\n');
}

const TEXT = /'([^'\n]+)'/g;

function named(code: string, names: RealNames): string {
  return code.replaceAll(TEXT, (whole, text: string) => {
    const name = names.get(text);
    return name === undefined ? whole : `'${name.replaceAll(/[\\']/g, '\\$&')}'`;
  });
}

/** Ids that only the reader has, as constants to fill in. */
function withOwnIds(code: string, endpoint: Endpoint): { calls: string; constants: string[] } {
  const [own] = ownIds(endpoint);
  if (!own) return { calls: code, constants: [] };
  let example = '';
  const calls = code.replaceAll(/'([\da-f-]{36}|AGT-\w{8})'/g, (_whole, text: string) => {
    example = text;
    return own.constant;
  });
  return { calls, constants: [`const ${own.constant} = '${example}'; // ${own.meaning}`] };
}
