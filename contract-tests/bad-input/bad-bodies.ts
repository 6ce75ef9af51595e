import { problemsOfValue } from '../answers/check-answer.ts';
import { at } from '../contract-examples.ts';
import type { RawRequest } from '../targets/server/raw-request.ts';
import { INHERITED_WORDS } from './bad-addresses.ts';

/** A body that must be refused, and the status of the refusal. */
export interface BadBody {
  readonly name: string;
  readonly content: Pick<RawRequest, 'headers' | 'body'>;
  readonly status: 400 | 413 | 415;
}

/** A body that breaks its schema in one field. */
export interface BadField {
  readonly name: string;
  readonly body: Fields;
}

type Fields = Readonly<Record<string, unknown>>;

const JSON_TYPE = { 'Content-Type': 'application/json' };
const asSent = (body: string | Buffer, headers: Record<string, string> = JSON_TYPE) => ({ headers, body });
const nested = (open: string, close: string, depth: number) => open.repeat(depth) + close.repeat(depth);

/** Builds bodies that are wrong for every operation: no JSON object, another type, too long, broken text. */
export function badBodies(valid: Fields, textField: string): BadBody[] {
  const whole = JSON.stringify(valid);
  const withValue = (json: string) =>
    JSON.stringify({ ...valid, [textField]: 0 }).replace(`"${textField}":0`, `"${textField}":${json}`);
  const padded = JSON.stringify({ ...valid, [textField]: 'x'.repeat(17 * 1024) });
  const chunked = { ...JSON_TYPE, 'Transfer-Encoding': 'chunked' };
  const broken = (name: string, body: string | Buffer) => ({
    name,
    content: asSent(body),
    status: 400 as const,
  });
  const typed = (type: string) => ({
    name: `sent as ${type}`,
    content: asSent(whole, { 'Content-Type': type }),
    status: 415 as const,
  });
  return [
    broken('nothing', ''),
    { name: 'nothing, without a content type', content: {}, status: 400 },
    ...['null', '[]', `[${whole}]`, '"text"', '42', 'true', '{}'].map((text) =>
      broken(text.slice(0, 20), text),
    ),
    broken('half an object', whole.slice(0, -1)),
    broken('an object and more', `${whole} x`),
    broken('single quotes', whole.replaceAll('"', "'")),
    broken('a comment', `${whole.slice(0, -1)}/* */}`),
    broken('NaN', withValue('NaN')),
    broken('a raw line break in a text', withValue('"a\nb"')),
    broken('a text that ends in half an escape', withValue('"a\\u00"')),
    broken('bytes that are no UTF-8', Buffer.from(withValue('"\xff\xfe"'), 'latin1')),
    broken('an overlong encoding', Buffer.from(withValue('"\xc0\xaf"'), 'latin1')),
    broken('a surrogate in UTF-8', Buffer.from(withValue('"\xed\xa0\x80"'), 'latin1')),
    broken('UTF-16', Buffer.from(whole, 'utf16le')),
    broken('a key twice, wrong the second time', withValue(`"a/b","${textField}":7`)),
    broken('__proto__', `{"__proto__":{"admin":true},${whole.slice(1)}`),
    broken('constructor.prototype', `{"constructor":{"prototype":{}},${whole.slice(1)}`),
    broken('a surrogate in a name', `{"\\ud800":1,${whole.slice(1)}`),
    broken('arrays 8,000 deep', nested('[', ']', 8_000)),
    broken('a field of arrays 7,000 deep', withValue(nested('[', ']', 7_000))),
    broken('a field of objects 2,000 deep', withValue(`${'{"a":'.repeat(2_000)}1${'}'.repeat(2_000)}`)),
    broken(
      'a thousand unknown fields',
      JSON.stringify({
        ...valid,
        ...Object.fromEntries(Array.from({ length: 1_000 }, (_, n) => [`f${n}`, n])),
      }),
    ),
    typed('text/plain'),
    typed('text/json'),
    typed('application/jsonp'),
    typed('application/xml'),
    typed('application/vnd.api+json'),
    typed('application/x-www-form-urlencoded'),
    typed('multipart/form-data; boundary=x'),
    { name: 'sent without a content type', content: asSent(whole, {}), status: 415 },
    { name: '17 KiB', content: asSent(padded), status: 413 },
    { name: '17 KiB in chunks', content: asSent(padded, chunked), status: 413 },
    { name: '17 KiB of no JSON', content: asSent('x'.repeat(17 * 1024)), status: 413 },
  ];
}

/** Values of every kind; which of them a field refuses follows from its schema. */
const VALUES: readonly unknown[] = [
  null,
  7,
  -1.5,
  true,
  [],
  {},
  [null],
  ['\u0000'],
  [7],
  '',
  ' ',
  '\u00a0\u3000',
  'a\u0000b',
  'a\nb',
  'a\u007fb',
  'a\u0085b',
  'x'.repeat(1_025),
  'true',
  ...INHERITED_WORDS,
  'AGT-0000000',
  '00000000-0000-0000-0000-00000000000g',
];

/**
 * Builds bodies that break a request schema: without a required field, with a value that the schema of a field refuses, with
 * half of a surrogate pair in a text, or with an unknown field.
 */
export function badFields(schema: string, valid: Fields): BadField[] {
  const { node } = at(schema);
  const fields = Object.keys(node.properties as object);
  const wrong = fields.flatMap((field) =>
    VALUES.filter((value) => problemsOfValue('', `${schema}/properties/${field}`, value).length > 0).map(
      (value) => ({
        name: `${field}: ${shown(value)}`,
        body: { ...valid, [field]: value },
      }),
    ),
  );
  const halves = Object.keys(valid).flatMap((field) => {
    const value = valid[field];
    const half = Array.isArray(value) ? ['\ud800'] : typeof value === 'string' ? 'a\udc00' : null;
    return half === null ? [] : [{ name: `${field}: half a character`, body: { ...valid, [field]: half } }];
  });
  const missing = (node.required as string[]).map((field) => ({
    name: `no ${field}`,
    body: { ...valid, [field]: undefined },
  }));
  const extra = ['id', 'trustScore', 'Operation', 'toString', ''].map((field) => ({
    name: `a field too many: ${shown(field)}`,
    body: { ...valid, [field]: 1 },
  }));
  return [...wrong, ...halves, ...missing, ...extra];
}

function shown(value: unknown): string {
  const text = JSON.stringify(value);
  return text.length > 40 ? `${text.slice(0, 40)}… (${text.length})` : text;
}
