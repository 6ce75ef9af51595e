// Writes which requests carry an access key and which may be sent again, as the contract says of its operations:
// `node request-rules.mjs TARGET`. The client knows a request by its method and URL alone.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { parse } from 'yaml';

const contract = parse(readFileSync(new URL('../../openapi.yaml', import.meta.url), 'utf8'));
const operations = Object.entries(contract.paths).flatMap(([path, item]) =>
  Object.entries(item)
    .filter(([, node]) => node.operationId)
    .map(([method, node]) => ({
      method,
      segments: path.split('/').slice(1),
      takesQuery: (node.parameters ?? []).some((parameter) => followed(parameter).in === 'query'),
      ...node,
    })),
);

function followed({ $ref, ...node }) {
  return $ref === undefined ? node : contract.components.parameters[$ref.split('/').at(-1)];
}

const takesKey = ({ security = contract.security }) => security.some((schemes) => 'accessKey' in schemes);

/** A GET changes nothing; of anything else the contract has to say it. */
function isRepeatable({ method, operationId, 'x-repeatable': repeatable = method === 'get' || null }) {
  if (typeof repeatable === 'boolean') return repeatable;
  throw new Error(`openapi.yaml has to say x-repeatable of ${operationId}: true or false.`);
}

const isParameter = (segment) => segment.startsWith('{');
/** Whatever a parameter could be mistaken for: each word of a path. */
const words = [
  ...new Set(operations.flatMap(({ segments }) => segments.filter((each) => !isParameter(each)))),
];

/** Requests of an operation, with each word as each of its parameters. */
function requestsOf({ method, segments, takesQuery }) {
  const ends = segments.reduce(
    (paths, segment) =>
      paths.flatMap((path) => (isParameter(segment) ? words : [segment]).map((part) => `${path}/${part}`)),
    [''],
  );
  const queries = takesQuery ? ['', '?a=b'] : [''];
  return ends.flatMap((path) => queries.map((query) => `${method} https://host${path}${query}`));
}

const fits = (part) => {
  const expression = new RegExp(part);
  return (request) => expression.test(request);
};

/**
 * The shortest part of an operation's requests that none of the others has: its method, or that and the end of its path. A
 * point stands for a slash, which would have to be escaped.
 */
function tellingPart(operation, others) {
  const { method, segments } = operation;
  const own = requestsOf(operation);
  for (let length = 0; length <= segments.length; length += 1) {
    const end = segments.slice(segments.length - length).map((each) => (isParameter(each) ? '[^/?]+' : each));
    const open = end.length === 0 ? `${method} ` : `${method} .*.${end.join('.')}`;
    const telling = [open, `${open}$`].find((part) => own.every(fits(part)) && !others.some(fits(part)));
    if (telling) return telling;
  }
  throw new Error(`No expression tells ${method} /${segments.join('/')} from other operations.`);
}

/** An expression for the requests of these operations, as short as it can be: it is a part of every client. */
function expressionFor(isChosen) {
  const others = operations.filter((operation) => !isChosen(operation)).flatMap(requestsOf);
  const parts = [];
  for (const operation of operations.filter(isChosen)) {
    const isTold = parts.some((part) => requestsOf(operation).every(fits(part)));
    if (!isTold) parts.push(tellingPart(operation, others));
  }
  return `/${parts.sort().join('|')}/i`;
}

const [, , target] = process.argv;
mkdirSync(dirname(target), { recursive: true });
writeFileSync(
  target,
  `// Generated from openapi.yaml by generate/request-rules.mjs. Don't edit it.

/** Tells the requests (\`METHOD URL\`) that take an access key from all others, which are public or take only a session. */
export const TAKES_KEY: RegExp = ${expressionFor(takesKey)};

/** Tells the requests that are safe to send again whatever happened to the first try. */
export const REPEATABLE: RegExp = ${expressionFor(isRepeatable)};
`,
);
