import { SDK_EXAMPLES } from '../../../generated/sdk-examples.ts';
import { sessionCookieName } from '../../../platform/http/credentials/credential.ts';
import { SHELL_IDEMPOTENCY_KEY } from '../../components/formatting.tsx';
import { type NameReplacements, readerIds, replaceNames } from './name-replacements.ts';
import type { Endpoint, Parameter } from './reference.ts';

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

/** Placeholder that the shell code for a random key replaces, after the text is quoted: quotes would disable that code. */
const KEY_PLACEHOLDER = 'IDEMPOTENCY-KEY';

/** Builds the guide's code samples for an origin. */
export function guideSamples(origin: string, names: NameReplacements): GuideSamples {
  const subject = names.get(DEFAULT_SUBJECT) ?? DEFAULT_SUBJECT;
  return {
    subject,
    lookup: `curl ${singleQuoted(`${origin}/api/subjects?subject=${encodeURIComponent(subject)}`)}`,
    firstCall: [
      `curl ${origin}/api/svc/operations/run \\`,
      '  -H "Authorization: Bearer $TRUST_DIRECTORY_API_KEY" \\',
      "  -H 'Content-Type: application/json' \\",
      `  -d ${singleQuoted(formatJson({ operation: 'agent_score', subject, idempotency_key: KEY_PLACEHOLDER }, '  ')).replace(KEY_PLACEHOLDER, () => SHELL_IDEMPOTENCY_KEY)}`,
    ].join('\n'),
    program: [
      "import { TrustDirectory } from '@trust-directory/sdk';",
      '',
      '// Reads the access key from TRUST_DIRECTORY_API_KEY.',
      `const client = new TrustDirectory({ baseUrl: '${origin}' });`,
      `const run = await client.operations.run({ operation: 'agent_score', subject: ${JSON.stringify(subject)} });`,
      'if (run.result) console.log(run.result.scores.trustScore, run.ledger_id);',
    ].join('\n'),
    commandLine: [
      `export TRUST_DIRECTORY_URL=${origin}`,
      `npx trust-directory lookup ${singleQuoted(subject)}`,
    ].join('\n'),
    mock: ['npx trust-directory mock', 'export TRUST_DIRECTORY_URL=http://127.0.0.1:4010'].join('\n'),
  };
}

/** Returns a text in single quotes, as one shell word. */
function singleQuoted(text: string): string {
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
  const functions = ['balanceOf', 'changesOf', 'consoleOf', 'scoresOf'].filter((name) =>
    calls.includes(`${name}(`),
  );
  const imported = [...functions, 'TrustDirectory'].join(', ');
  const notes = [
    ...(schemes.includes('accessKey') ? ['// Reads the access key from TRUST_DIRECTORY_API_KEY.'] : []),
    ...(functions.includes('consoleOf')
      ? ['// On a page of this service: the browser sends your session.']
      : []),
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

/** Replaces the example ids by one constant that the reader fills in, if the path has an id that only the reader knows. */
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

/** Maximum length of a value on one line, with its indentation; code blocks have about this width. */
const MAX_LINE_LENGTH = 92;

/** Formats JSON: values that fit stay on one line, others have one member per line. */
export function formatJson(value: unknown, indent = ''): string {
  const line = onOneLine(value);
  if (typeof value !== 'object' || value === null || indent.length + line.length <= MAX_LINE_LENGTH)
    return line;
  const deeper = `${indent}  `;
  const members = Array.isArray(value)
    ? value.map((each) => formatJson(each, deeper))
    : Object.entries(value).map(([key, each]) => `${JSON.stringify(key)}: ${formatJson(each, deeper)}`);
  const [open, close] = Array.isArray(value) ? ['[', ']'] : ['{', '}'];
  return `${open}\n${members.map((member) => deeper + member).join(',\n')}\n${indent}${close}`;
}

function onOneLine(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(onOneLine).join(', ')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const members = Object.entries(value).map(([key, each]) => `${JSON.stringify(key)}: ${onOneLine(each)}`);
  return members.length === 0 ? '{}' : `{ ${members.join(', ')} }`;
}

/** Returns a text as one shell word, in single quotes if it needs them. */
function quoted(text: string): string {
  return /^[\w./:=@-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}

/** Query parameters whose example values do not work in every directory. Samples contain them only if they are required. */
const NOT_PORTABLE: ReadonlySet<string> = new Set(['score_version', 'from', 'to', 'cursor']);

/**
 * Builds the URL, as one shell word, from the parameters' examples. The query has the required parameters. Without any,
 * it has the first parameter that is not in `NOT_PORTABLE`.
 */
function addressOf(endpoint: Endpoint, origin: string, names: NameReplacements): string {
  const { path, parameters } = endpoint;
  const own = readerIds(endpoint);
  const value = ({ examples }: Parameter) =>
    encodeURIComponent(String(replaceNames(examples[0]?.value, names)));
  const filled = parameters
    .filter((parameter) => parameter.in === 'path' && !own.some(({ name }) => name === parameter.name))
    .reduce((text, each) => text.replace(`{${each.name}}`, () => value(each)), path);
  const query = parameters.filter((parameter) => parameter.in === 'query');
  const required = query.filter((parameter) => parameter.required);
  const shown =
    required.length > 0 ? required : query.filter(({ name }) => !NOT_PORTABLE.has(name)).slice(0, 1);
  const asked = shown.map((each) => `${each.name}=${value(each)}`).join('&');
  const address = quoted(
    origin + filled.replaceAll(/\{(\w+)\}/g, '%$1%') + (asked === '' ? '' : `?${asked}`),
  );
  if (own.length === 0) return address;
  // Use double quotes, so that the shell expands the variable.
  return own.reduce(
    (text, { name, variable }) => text.replace(`%${name}%`, `$${variable}`),
    `"${address.replaceAll("'", '')}"`,
  );
}

/** Returns curl's options for the credential. With a session, requests other than GET also need the header `Origin`. */
function credentialOptions({ method, schemes }: Endpoint, origin: string): string[] {
  if (schemes.includes('accessKey')) return ['-H "Authorization: Bearer $TRUST_DIRECTORY_API_KEY"'];
  if (!schemes.includes('session')) return [];
  const cookie = `-b "${sessionCookieName(origin)}=$SESSION"`;
  return method === 'GET' ? [cookie] : [cookie, `-H ${quoted(`Origin: ${origin}`)}`];
}

/** Replaces the idempotency key by shell code that makes a random one, so that each run of the sample is a new call. */
function withFreshKey(data: string): string {
  return data.replace(/(?<="idempotency_key": ")[^"]*/, () => SHELL_IDEMPOTENCY_KEY);
}

/** Builds a curl command for an endpoint from the contract's examples, with subjects that exist in this directory. */
export function curlSample(endpoint: Endpoint, origin: string, names: NameReplacements): string {
  const { method } = endpoint;
  const body = replaceNames(endpoint.body?.examples[0]?.value, names);
  // curl defaults to POST if there is a body.
  const verb = method === 'GET' || (method === 'POST' && body !== undefined) ? '' : `-X ${method} `;
  const data = [
    "-H 'Content-Type: application/json'",
    `-d ${withFreshKey(quoted(formatJson(body ?? null, '  ')))}`,
  ];
  return [
    `curl ${verb}${addressOf(endpoint, origin, names)}`,
    ...credentialOptions(endpoint, origin),
    ...(body === undefined ? [] : data),
  ].join(' \\\n  ');
}
