import { sessionCookieName } from '../../../platform/http/credentials/credential.ts';
import { SHELL_IDEMPOTENCY_KEY } from '../../components/shell-idempotency-key.ts';
import { formatJson } from './format-json.ts';
import { type NameReplacements, readerIds, replaceNames } from './name-replacements.ts';
import type { Endpoint, Parameter } from './reference.ts';

/** Quotes a text as one shell word. */
function quoted(text: string): string {
  return /^[\w./:=@-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}

/** Builds the URL from the parameters' examples. The query has the required parameters or, without any, the first. */
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
  const shown = required.length > 0 ? required : query.slice(0, 1);
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

/** Returns curl's options for the credential. Changes with a session also need the Origin of this site. */
function credentialOptions({ method, schemes }: Endpoint, origin: string): string[] {
  if (schemes.includes('accessKey')) return ['-H "Authorization: Bearer $TRUST_DIRECTORY_API_KEY"'];
  if (!schemes.includes('session')) return [];
  const cookie = `-b "${sessionCookieName(origin)}=$SESSION"`;
  return method === 'GET' ? [cookie] : [cookie, `-H ${quoted(`Origin: ${origin}`)}`];
}

/** Replaces the example's idempotency key by a fresh one, so that the sample can be run repeatedly. */
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
