// Writes patterns of the requests that take an access key and of those that may be retried, from the contract:
// `node request-rules.mjs TARGET`. The client knows a request only by method and URL.
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

/** Returns whether an operation may be retried: always for GET, otherwise as x-repeatable says. */
function isRepeatable({ method, operationId, 'x-repeatable': repeatable = method === 'get' || null }) {
  if (typeof repeatable === 'boolean') return repeatable;
  throw new Error(`openapi.yaml has to say x-repeatable of ${operationId}: true or false.`);
}

const isParameter = (segment) => segment.startsWith('{');
/** The fixed path segments of the contract. Sample requests use each as a parameter's value: such paths are easily confused. */
const words = [
  ...new Set(operations.flatMap(({ segments }) => segments.filter((each) => !isParameter(each)))),
];

/**
 * Returns sample requests of an operation: each path parameter takes the value of every fixed path segment of the
 * contract.
 */
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
 * Returns the shortest pattern that matches all requests of an operation and no request in `others`: the method, or the
 * method and the end of the path. In the pattern, a dot stands for each slash, because slashes would need escaping.
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

/** Returns a short expression for the requests of the chosen operations; it is part of every client's bundle. */
function expressionFor(isChosen) {
  const others = operations.filter((operation) => !isChosen(operation)).flatMap(requestsOf);
  const parts = [];
  for (const operation of operations.filter(isChosen)) {
    const isTold = parts.some((part) => requestsOf(operation).every(fits(part)));
    if (!isTold) parts.push(tellingPart(operation, others));
  }
  return `/${grouped(parts.sort()).join('|')}/i`;
}

/** Joins patterns that have the same beginning (see `startOf`) into one pattern with alternative ends of the path. */
function grouped(parts) {
  return [...new Set(parts.map(startOf))].map((start) => {
    const ends = parts.filter((part) => startOf(part) === start).map((part) => part.slice(start.length));
    if (ends.length === 1) return `${start}${ends[0]}`;
    const areComplete = ends.every((end) => end.endsWith('$'));
    return areComplete
      ? `${start}(${ends.map((end) => end.slice(0, -1)).join('|')})$`
      : `${start}(${ends.join('|')})`;
  });
}

/** Returns the beginning of a pattern: the method, followed by the expression for any beginning of the path. */
const startOf = (part) => /^\w+ (\.\*\.(api\.)?)?/.exec(part)[0];

const [, , target] = process.argv;
mkdirSync(dirname(target), { recursive: true });
writeFileSync(
  target,
  `// Generated from openapi.yaml by generate/request-rules.mjs. Don't edit it.

/** Matches requests (\`METHOD URL\`) that take an access key. All others are public or take a session. */
export const TAKES_KEY: RegExp = ${expressionFor(takesKey)};

/** Matches requests that are safe to repeat after any outcome of the first attempt. */
export const REPEATABLE: RegExp = ${expressionFor(isRepeatable)};
`,
);
