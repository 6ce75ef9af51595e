import { SDK_EXAMPLES } from '../../../generated/sdk-examples.ts';
import { SHELL_IDEMPOTENCY_KEY } from '../../components/shell-idempotency-key.ts';
import { curlSample } from './curl-sample.ts';
import { formatJson } from './format-json.ts';
import type { NameReplacements } from './name-replacements.ts';
import { readerIds } from './name-replacements.ts';
import type { Endpoint } from './reference.ts';

/** Code samples of the guide, about an existing subject. */
export interface GuideSamples {
  subject: string;
  lookup: string;
  firstCall: string;
  program: string;
  commandLine: string;
  mock: string;
}

/** Subject of the guide's samples if the directory has no agent yet. */
const DEFAULT_SUBJECT = 'google-gemini/gemini-cli';

/** Placeholder for the fresh key, replaced after the rest is quoted. */
const KEY_PLACEHOLDER = 'IDEMPOTENCY-KEY';

/** Builds the guide's code samples for an origin. */
export function guideSamples(origin: string, names: NameReplacements): GuideSamples {
  const subject = names.get(DEFAULT_SUBJECT) ?? DEFAULT_SUBJECT;
  return {
    subject,
    lookup: `curl ${quoted(`${origin}/api/subjects?subject=${encodeURIComponent(subject)}`)}`,
    firstCall: [
      `curl ${origin}/api/svc/operations/run \\`,
      '  -H "Authorization: Bearer $TRUST_DIRECTORY_API_KEY" \\',
      "  -H 'Content-Type: application/json' \\",
      `  -d ${quoted(formatJson({ operation: 'agent_score', subject, idempotency_key: KEY_PLACEHOLDER }, '  ')).replace(KEY_PLACEHOLDER, () => SHELL_IDEMPOTENCY_KEY)}`,
    ].join('\n'),
    program: [
      "import { TrustDirectory } from '@trust-directory/sdk';",
      '',
      '// Reads the access key from TRUST_DIRECTORY_API_KEY.',
      `const client = new TrustDirectory({ baseUrl: '${origin}' });`,
      `const run = await client.operations.run({ operation: 'agent_score', subject: ${JSON.stringify(subject)} });`,
      'if (!run.replayed) console.log(run.result.scores.trustScore, run.ledger_id);',
    ].join('\n'),
    commandLine: [
      `export TRUST_DIRECTORY_URL=${origin}`,
      `npx trust-directory lookup ${quoted(subject)}`,
    ].join('\n'),
    mock: ['npx trust-directory mock', 'export TRUST_DIRECTORY_URL=http://127.0.0.1:4010'].join('\n'),
  };
}

/** Quotes a text as one shell word. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

/** Sample call of an endpoint in one language. */
export interface CodeSample {
  readonly id: 'curl' | 'typescript';
  readonly label: string;
  readonly source: string;
}

/** Returns sample calls of an endpoint, with curl and with the SDK; none for webhooks, which this service calls. */
export function codeSamples(endpoint: Endpoint, origin: string, names: NameReplacements): CodeSample[] {
  if (endpoint.isWebhook) return [];
  return [
    { id: 'curl', label: 'curl', source: curlSample(endpoint, origin, names) },
    { id: 'typescript', label: 'TypeScript', source: sdkSample(endpoint, origin, names) },
  ];
}

/** Builds a complete program from the SDK's examples of the endpoint and a client for this origin. */
function sdkSample(endpoint: Endpoint, origin: string, names: NameReplacements): string {
  const { operationId, schemes } = endpoint;
  const written = (SDK_EXAMPLES[operationId] ?? []).join('\n\n');
  const { calls, constants } = withOwnIds(withNames(written, names), endpoint);
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

function withNames(code: string, names: NameReplacements): string {
  return code.replaceAll(TEXT, (whole, text: string) => {
    const name = names.get(text);
    return name === undefined ? whole : `'${name.replaceAll(/[\\']/g, '\\$&')}'`;
  });
}

/** Replaces ids that only the reader knows by constants to fill in. */
function withOwnIds(code: string, endpoint: Endpoint): { calls: string; constants: string[] } {
  const [own] = readerIds(endpoint);
  if (!own) return { calls: code, constants: [] };
  let example = '';
  const calls = code.replaceAll(/'([\da-f-]{36}|AGT-\w{8})'/g, (_whole, text: string) => {
    example = text;
    return own.constant;
  });
  return { calls, constants: [`const ${own.constant} = '${example}'; // ${own.meaning}`] };
}
