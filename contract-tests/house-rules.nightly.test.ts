import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { parse, stringify } from 'yaml';

const root = fileURLToPath(new URL('..', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'house-rules-'));
afterAll(() => rmSync(folder, { recursive: true }));

interface Problem {
  ruleId: string;
  location: { pointer: string }[];
}

/** Sets one value in a document; the path is a JSON pointer whose parents exist. */
function put(document: unknown, pointer: string, value: unknown): void {
  const keys = pointer
    .split('/')
    .slice(1)
    .map((key) => key.replaceAll('~1', '/').replaceAll('~0', '~'));
  const last = keys.pop() ?? '';
  const parent = keys.reduce(
    (node, key) => node[key] as Record<string, unknown>,
    document as Record<string, unknown>,
  );
  if (value === undefined) delete parent[last];
  else parent[last] = value;
}

function lint(document: unknown): Problem[] {
  const file = join(folder, 'openapi.yaml');
  writeFileSync(file, stringify(document));
  const options = ['lint', file, '--config', 'redocly.yaml', '--format', 'json', '--max-problems', '1000'];
  const run = spawnSync(process.execPath, ['checks/node_modules/@redocly/cli/bin/cli.js', ...options], {
    cwd: root,
    encoding: 'utf8',
    env: { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' },
  });
  return JSON.parse(run.stdout.slice(run.stdout.indexOf('{'))).problems;
}

const schemas = '/components/schemas';
/** Object that is used twice in the document, so that the YAML writer emits an anchor and an alias. */
const repeated = {};
const breakages: { rule: string; at: string; put: [pointer: string, value: unknown] }[] = [
  { rule: 'rule/no-nullable', at: `${schemas}/Score`, put: [`${schemas}/Score/nullable`, true] },
  {
    rule: 'rule/no-prefix-items',
    at: `${schemas}/Agent/properties/tags`,
    put: [`${schemas}/Agent/properties/tags/prefixItems`, [{ type: 'string' }]],
  },
  { rule: 'rule/no-schema-example', at: `${schemas}/Tier`, put: [`${schemas}/Tier/example`, 'low'] },
  {
    rule: 'rule/known-formats',
    at: `${schemas}/Relationship/properties/type`,
    put: [`${schemas}/Relationship/properties/type/format`, 'slug'],
  },
  {
    rule: 'rule/documented-400',
    at: '/paths/~1api~1agents~1{id}/get/responses',
    put: ['/paths/~1api~1agents~1{id}/get/responses/400', undefined],
  },
  { rule: 'house/no-anchors', at: '/', put: ['/x-repeated', [repeated, repeated]] },
  {
    rule: 'house/word-parameters',
    at: '/components/parameters/HandleInPath/name',
    put: ['/components/parameters/HandleInPath/name', 'owner-handle'],
  },
  {
    rule: 'house/closed-requests',
    at: `${schemas}/RegisterAgentRequest`,
    put: [`${schemas}/RegisterAgentRequest/additionalProperties`, undefined],
  },
  {
    rule: 'house/plain-requests',
    at: `${schemas}/RunOperationRequest/x-note`,
    put: [`${schemas}/RunOperationRequest/x-note`, 'hello'],
  },
  {
    rule: 'house/plain-requests',
    at: `${schemas}/RegisterAgentRequest/discriminator`,
    put: [`${schemas}/RegisterAgentRequest/discriminator`, { propertyName: 'type' }],
  },
  {
    rule: 'house/no-body-defaults',
    at: `${schemas}/RunOperationRequest/properties/channel/default`,
    put: [`${schemas}/RunOperationRequest/properties/channel/default`, 'api'],
  },
  {
    rule: 'house/bounded-inputs',
    at: '/components/parameters/SearchText/schema',
    put: ['/components/parameters/SearchText/schema/pattern', undefined],
  },
  {
    rule: 'house/bounded-inputs',
    at: `${schemas}/RunOperationRequest/properties/subject`,
    put: [`${schemas}/RunOperationRequest/properties/subject/pattern`, undefined],
  },
  {
    rule: 'house/bounded-inputs',
    at: `${schemas}/Uuid`,
    put: [`${schemas}/Uuid/maxLength`, undefined],
  },
  {
    rule: 'house/bounded-inputs',
    at: `${schemas}/RegisterAgentRequest/properties/tags`,
    put: [`${schemas}/RegisterAgentRequest/properties/tags/maxItems`, undefined],
  },
  ...[
    '^(?!x)[a-z]+$',
    '^(?<=x)y$',
    '^(?<name>x)$',
    '^\\p{L}+$',
    '^\\u{2800}$',
    '^\\w+$',
    '^(x)\\1$',
    '^[a-z]+?$',
    '^[^x]{1,3}$',
    '^[^x]?$',
    '^.$',
    '^[😀]$',
    '^\\_$',
  ].map((pattern, index) => ({
    rule: 'house/portable-patterns',
    at: `${schemas}/Pattern${index}/pattern`,
    put: [`${schemas}/Pattern${index}`, { type: 'string', pattern }] as [string, unknown],
  })),
  { rule: 'info-contact', at: '/info', put: ['/info/contact', undefined] },
  {
    rule: 'house/header-examples',
    at: '/components/headers/ETag',
    put: ['/components/headers/ETag/example', undefined],
  },
  {
    rule: 'house/response-examples',
    at: '/components/responses/ScoringFailed/content/application~1json',
    put: ['/components/responses/ScoringFailed/content/application~1json/examples', undefined],
  },
  {
    rule: 'operation-operationId-unique',
    at: '/paths/~1api~1agents~1{id}/get',
    put: ['/paths/~1api~1agents/get/operationId', 'getAgent'],
  },
];

const found: string[] = [];
beforeAll(() => {
  const document = parse(readFileSync(join(root, 'openapi.yaml'), 'utf8'));
  for (const breakage of breakages) put(document, ...breakage.put);
  found.push(
    ...lint(document).map((problem) => `${problem.ruleId} ${problem.location[0]?.pointer.slice(1)}`),
  );
}, 30_000);

it.each(breakages)('$rule reports a breach at $at', ({ rule, at }) => {
  expect(found.filter((problem) => problem.startsWith(`${rule} ${at}`))).not.toEqual([]);
});
