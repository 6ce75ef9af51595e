// Writes every example response of the contract as TypeScript: `node contract-examples.mjs TARGET`.
// Compiling the package then checks the examples against the types of the contract.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { parse } from 'yaml';

const contract = parse(readFileSync(new URL('../../openapi.yaml', import.meta.url), 'utf8'));

/** Resolves a $ref; returns other nodes unchanged. */
function followed(node) {
  if (typeof node?.$ref !== 'string') return node;
  const keys = node.$ref.slice(2).split('/');
  return followed(keys.reduce((parent, key) => parent[key.replaceAll('~1', '/')], contract));
}

/** Returns the headers to omit because they contradict the example body, although the contract documents them for the status. */
function contradicted(status, body) {
  if (status === 409 && body?.code === 'subject_ambiguous') return ['Retry-After'];
  if (status !== 200) return [];
  return [
    ...(body?.idempotent === true ? [] : ['Idempotent-Replayed']),
    ...(body?.nextCursor === null ? ['Link'] : []),
  ];
}

/** Names of responses without a body, which have no example. */
const BODILESS = { 204: 'no_content', 304: 'not_modified' };

/** Returns the responses of a status by example name. */
function answersOf(status, response) {
  const { content, headers = {} } = followed(response);
  const [[type, media] = []] = Object.entries(content ?? {});
  return Object.entries(media?.examples ?? { [BODILESS[status]]: null }).map(([name, example]) => {
    const body = media ? followed(example).value : null;
    const sent = Object.entries(headers)
      .filter(([header]) => !contradicted(status, body).includes(header))
      .map(([header, node]) => [header, String(followed(node).example)]);
    // MSW sets the content type of JSON bodies only. A body of text, such as a CSV file, needs this header.
    if (typeof body === 'string') sent.push(['Content-Type', type]);
    return [name, { status, headers: Object.fromEntries(sent), body }];
  });
}

/**
 * Returns all endpoints with their responses by name. If two statuses have a response of the same name, the
 * second name gets the status as a suffix.
 */
function endpoints() {
  return Object.entries(contract.paths).flatMap(([path, item]) =>
    Object.entries(item)
      .filter(([, node]) => node.operationId)
      .map(([method, { operationId, responses }]) => {
        const answers = {};
        for (const [status, response] of Object.entries(responses)) {
          for (const [name, answer] of answersOf(Number(status), response)) {
            answers[name in answers ? `${name}_${status}` : name] = answer;
          }
        }
        return { operationId, method, path, answers };
      }),
  );
}

const known = endpoints();
/** Variable names of the responses by content; equal responses are written once. */
const written = new Map();
const reference = (answer) => {
  const text = JSON.stringify(answer);
  if (!written.has(text)) written.set(text, `answer${written.size}`);
  return written.get(text);
};
const lines = (answers, line) =>
  Object.entries(answers).map(([name, answer]) => `    '${name}': ${line(answer)},`);

const types = known.map(({ operationId, answers }) =>
  [
    `  ${operationId}: {`,
    ...lines(answers, ({ status }) => `Answer<'${operationId}', ${status}>`),
    '  };',
  ].join('\n'),
);
const values = known.map(({ operationId, answers }) =>
  [`  ${operationId}: {`, ...lines(answers, reference), '  },'].join('\n'),
);
const routes = known.map(
  ({ operationId, method, path }) => `  ${operationId}: { method: '${method}', path: '${path}' },`,
);
const constants = [...written].map(
  ([text, name]) => `const ${name} = ${JSON.stringify(JSON.parse(text), null, 2)} as const;`,
);

const [, , target] = process.argv;
mkdirSync(dirname(target), { recursive: true });
writeFileSync(
  target,
  `// Generated from openapi.yaml by generate/contract-examples.mjs. Don't edit it.
import type { Answer } from '../testing/answer.ts';

/** Every answer that the contract gives an example of, by endpoint and name. */
export interface ContractExamples {
${types.join('\n')}
}

/** Method and path of every endpoint. */
export const routes = {
${routes.join('\n')}
} as const;

${constants.join('\n\n')}

export const examples: ContractExamples = {
${values.join('\n')}
};
`,
);
