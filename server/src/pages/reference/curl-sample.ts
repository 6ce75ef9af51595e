import { sessionCookieName } from '../../http/credentials/credential.ts';
import { FRESH_KEY } from '../../ui/fresh-key.ts';
import { layOutJson } from './lay-out-json.ts';
import { ownIds } from './own-ids.ts';
import type { Endpoint, Parameter } from './reference.ts';
import { type RealNames, withRealNames } from './sample-subjects.ts';

/** A word of a shell, whatever stands in it. */
function quoted(text: string): string {
  return /^[\w./:=@-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}

/** The address with its parameters' examples, and as a query the parameters that must be there, else the first one. */
function addressOf(endpoint: Endpoint, origin: string, names: RealNames): string {
  const { path, parameters } = endpoint;
  const own = ownIds(endpoint);
  const value = ({ examples }: Parameter) =>
    encodeURIComponent(String(withRealNames(examples[0]?.value, names)));
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
  // A variable stands where the shell looks into it, between double quotes.
  return own.reduce(
    (text, { name, variable }) => text.replace(`%${name}%`, `$${variable}`),
    `"${address.replaceAll("'", '')}"`,
  );
}

/** A key where one is taken. A session also has to show that it is the service's own page that changes something. */
function credentialOptions({ method, schemes }: Endpoint, origin: string): string[] {
  if (schemes.includes('accessKey')) return ['-H "Authorization: Bearer $TRUST_DIRECTORY_API_KEY"'];
  if (!schemes.includes('session')) return [];
  const cookie = `-b "${sessionCookieName(origin)}=$SESSION"`;
  return method === 'GET' ? [cookie] : [cookie, `-H ${quoted(`Origin: ${origin}`)}`];
}

/** Replaces the example's idempotency key, which would belong to another call the second time, by a fresh one. */
function withFreshKey(data: string): string {
  return data.replace(/(?<="idempotency_key": ")[^"]*/, () => FRESH_KEY);
}

/** A curl command that calls an endpoint at an origin, with the contract's own examples about subjects that are there. */
export function curlSample(endpoint: Endpoint, origin: string, names: RealNames): string {
  const { method } = endpoint;
  const body = withRealNames(endpoint.body?.examples[0]?.value, names);
  // curl itself sends a POST where there is a body.
  const verb = method === 'GET' || (method === 'POST' && body !== undefined) ? '' : `-X ${method} `;
  const data = [
    "-H 'Content-Type: application/json'",
    `-d ${withFreshKey(quoted(layOutJson(body ?? null, '  ')))}`,
  ];
  return [
    `curl ${verb}${addressOf(endpoint, origin, names)}`,
    ...credentialOptions(endpoint, origin),
    ...(body === undefined ? [] : data),
  ].join(' \\\n  ');
}
