/** A request without a body whose URL or headers must be refused, and the status of the refusal. */
export interface BadAddress {
  readonly name?: string;
  readonly method?: string;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly status: number;
}

/** Returns the name of a bad address; by default its method and path. */
export const nameOfAddress = ({ name, method = 'GET', path }: BadAddress): string =>
  name ?? `${method} ${path}`;

/** Names that every JavaScript object inherits. A look-up of one of them in an object must not find the inherited member. */
export const INHERITED_WORDS = ['constructor', '__proto__', 'toString', 'valueOf', 'hasOwnProperty'] as const;

/** Builds spellings of a subject in which the word replaces a platform, a host or one of our own pages. */
export const inheritedSubjects = (word: string): string[] => [
  word,
  `@${word}`,
  `${word}:x`,
  `${word}:a/b`,
  `x@${word}:a/b`,
  `@x@${word}`,
  `${word}/x`,
  `${word}/x#${word}`,
  `npm:${word}`,
  `pypi:${word}`,
  `https://${word}/x`,
  `https://github.com/${word}/${word}`,
  `http://localhost/${word}/x/y`,
  `/${word}/x/y`,
];

/** Queries of the list that its parameters refuse. */
const LIST_QUERIES = [
  'limit=abc',
  'limit=1.5',
  'limit=',
  'limit=0',
  'limit=101',
  'limit=-1',
  'limit=0x10',
  'limit=1e1',
  'limit=%205',
  'limit=+5',
  'limit=5%20',
  'limit=%EF%BC%91',
  'limit[]=1',
  'limit=1&limit=2',
  'limit=NaN',
  'limit=Infinity',
  'limit=null',
  'offset=-1',
  'offset=2147483648',
  'offset=1e400',
  'offset=x',
  'verified=1',
  'verified=TRUE',
  'verified=',
  'verified=null',
  'verified=true&verified=true',
  'tier=High',
  'tier=',
  'tier=low,high',
  'category=games',
  'category=',
  'sort=',
  'sort=trust',
  'sort=name&sort=name',
  'cursor=!',
  'cursor=',
  'cursor=W10',
  'cursor=AAAA',
  `cursor=${'A'.repeat(1_025)}`,
  'q=',
  `q=${'q'.repeat(201)}`,
  'q=%00',
  'q=a%0Ab',
  'q=%7F',
  'q=%C2%85',
  'q=a&q=b',
  'q=%',
  'q=%ZZ',
  'q=%FF',
  'q=%E0%A4',
  'q=%ED%A0%80',
  'q=%C0%AF',
  'page=1',
  '=1',
  'a',
  'Q=a',
  'q[$ne]=a',
  '__proto__=1',
  'constructor=1',
  'toString=1',
  '%00=1',
  '%FF=1',
];

const BAD_IDS = [
  'x',
  'AGT-',
  'AGT-0000000',
  'AGT-000000000',
  'agt-00000000',
  'AGT-0000000!',
  '%20AGT-00000000',
  'AGT-00000000%0A',
  'AGT-0000000%00',
  '%00',
  '%2F',
  '%2e%2e',
  'AGT-0000000%C3%A9',
  'null',
  '1',
  "'%20OR%201=1--",
  '%F0%9F%92%A9',
  'a'.repeat(1_000),
];

const BAD_HANDLES = [
  '%20',
  'a%20b',
  '%00',
  'a%0A',
  'a%2Fb',
  'a:b:c',
  ':a',
  'a:',
  '%C3%A9',
  '%E2%80%AE',
  "a'b",
  'a'.repeat(402),
];

/** Percent escapes that encode no valid character. */
const BROKEN_ESCAPES = ['%', '%Z', '%ZZ', '%F', '%FF', '%C0%AF', '%ED%A0%80', '%E0%A4'];

const READS = ['/api/agents/AGT-00000000', '/api/agents/AGT-00000000/lineage', '/api/identity/nobody'];

/** Requests whose path belongs to no operation, or whose parameters their operation does not allow. */
export const BAD_ADDRESSES: readonly BadAddress[] = [
  ...LIST_QUERIES.map((query) => ({ path: `/api/agents?${query}`, status: 400 })),
  ...READS.flatMap((path) =>
    ['limit=1', 'a', '%00=1'].map((query) => ({ path: `${path}?${query}`, status: 400 })),
  ),
  ...BAD_IDS.flatMap((id) => [
    { path: `/api/agents/${id}`, status: 400 },
    { path: `/api/agents/${id}/lineage`, status: 400 },
  ]),
  ...INHERITED_WORDS.flatMap((word) => [
    ...['sort', 'tier', 'category', 'verified', 'limit', 'cursor'].map((name) => ({
      path: `/api/agents?${name}=${word}`,
      status: 400,
    })),
    { path: `/api/agents/${word}`, status: 400 },
    // No host has an underscore in its name.
    ...(word.includes('_') ? [{ path: `/api/identity/${word}:x`, status: 400 }] : []),
    { path: `/api/subjects/${word}`, status: 400 },
    { path: `/api/subjects?subject=x&type=${word}`, status: 400 },
    { path: `/api/receipts/${word}`, status: 400 },
    { path: `/api/receipts?state=${word}`, status: 400 },
  ]),
  ...BAD_HANDLES.map((handle) => ({ path: `/api/identity/${handle}`, status: 400 })),
  ...BROKEN_ESCAPES.flatMap((broken) => [
    { path: `/api/agents/${broken}`, status: 400 },
    { path: `/api/identity/${broken}`, status: 400 },
    { path: `/api/svc/${broken}`, status: 400 },
  ]),
  ...[
    '/api',
    '/api/',
    '/api/nothing',
    '/api//agents',
    '/api/agents;x',
    '/API/agents',
    '/api/svc',
    '/api/svc/operations',
    '/api/svc/operations/run/x',
    '/api/agents/AGT-00000000/lineage/x',
  ].map((path) => ({ path, status: 404 })),
  ...['DELETE', 'POST', 'PUT', 'PATCH', 'TRACE', 'PROPFIND'].flatMap((method) =>
    ['/api/agents', ...READS].map((path) => ({ method, path, status: 405 })),
  ),
  ...['GET', 'HEAD', 'PUT', 'PATCH', 'DELETE'].map((method) => ({
    method,
    path: '/api/svc/operations/run',
    status: 405,
  })),
  ...['PUT', 'PATCH', 'DELETE'].map((method) => ({ method, path: '/api/agents/register', status: 405 })),
  { name: 'a path segment of 1,025 characters', path: `/api/agents/${'a'.repeat(1_025)}`, status: 414 },
  { name: 'an address of 20,000 characters', path: `/api/agents/${'a'.repeat(20_000)}`, status: 431 },
  { name: 'a query of 20,000 characters', path: `/api/agents?q=${'a'.repeat(20_000)}`, status: 431 },
  {
    name: 'a header of 20,000 characters',
    path: '/api/agents',
    headers: { 'X-Long': 'a'.repeat(20_000) },
    status: 431,
  },
  {
    name: 'an expectation that no server knows',
    path: '/api/agents',
    headers: { Expect: 'wonders' },
    status: 417,
  },
];

/** URLs of unknown agents and creators: the contract allows them, and the answer is 404 if there is no such entry. */
export const UNKNOWN_NAMES: readonly BadAddress[] = [
  '/api/agents/AGT-00000000/',
  '/api/identity/%40a',
  ...INHERITED_WORDS.flatMap((word) => [
    `/api/identity/${word}`,
    ...(word.includes('_') ? [] : [`/api/identity/${word}:x`]),
    `/api/identity/x:${word}`,
    ...inheritedSubjects(word).map((subject) => `/api/subjects?subject=${encodeURIComponent(subject)}`),
  ]),
].map((path) => ({ path, status: 404 }));

/** Bytes that are not a valid HTTP request. */
export const BAD_BYTES: readonly { readonly name: string; readonly bytes: string }[] = [
  { name: 'no HTTP', bytes: 'hello\r\n\r\n' },
  { name: 'an unknown method', bytes: 'FETCH /api/agents HTTP/1.1\r\nHost: x\r\n\r\n' },
  { name: 'a space in the address', bytes: 'GET /api/agents?q=a b HTTP/1.1\r\nHost: x\r\n\r\n' },
  { name: 'a raw NUL in the address', bytes: 'GET /api/agents?q=\0 HTTP/1.1\r\nHost: x\r\n\r\n' },
  { name: 'a header without a colon', bytes: 'GET /api/agents HTTP/1.1\r\nHost: x\r\nbroken\r\n\r\n' },
  { name: 'a folded header', bytes: 'GET /api/agents HTTP/1.1\r\nHost: x\r\nX-A: b\r\n c\r\n\r\n' },
  { name: 'two hosts', bytes: 'GET /api/agents HTTP/1.1\r\nHost: x\r\nHost: y\r\n\r\n' },
  {
    name: 'the same host twice, and a path that is kept',
    bytes: 'GET /api/agents HTTP/1.1\r\nHost: x\r\nAccept: */*\r\nhOST: x\r\n\r\n',
  },
  {
    name: 'two hosts of a metered call',
    bytes:
      'POST /api/svc/operations/run HTTP/1.1\r\nHost: x\r\nHost: y\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{}',
  },
  {
    name: 'a length and chunks',
    bytes:
      'POST /api/svc/operations/run HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
  },
  {
    name: 'two lengths',
    bytes:
      'POST /api/svc/operations/run HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\nContent-Length: 4\r\n\r\n{}  ',
  },
  {
    name: 'a negative length',
    bytes: 'POST /api/svc/operations/run HTTP/1.1\r\nHost: x\r\nContent-Length: -1\r\n\r\n',
  },
  {
    name: 'a chunk of no size',
    bytes:
      'POST /api/svc/operations/run HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n{}\r\n0\r\n\r\n',
  },
];
