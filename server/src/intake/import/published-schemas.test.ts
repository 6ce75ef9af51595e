import { readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { CATEGORIES, type ImportedRow } from '../../catalog/listings/listing-row.ts';
import { ACCOUNT_KINDS, ACCOUNT_TYPES, CROSS_LINKS } from '../../catalog/platform-accounts/write-accounts.ts';
import { isOwnerName, isRepositoryName } from '../../catalog/repository-url.ts';
import { NAME_PATTERN, NAME_RULE } from '../../platform/text/request-text.ts';
import { parseAccount } from './parse-account.ts';
import { parseAgentCard, parsePackument, parseProject, parseSkillsIndex } from './parse-host-row.ts';
import {
  parseArtifact,
  parseCreator,
  parseListing,
  parseRelation,
  parseRow,
  parseScorecardRow,
} from './parse-row.ts';
import { parseServer } from './parse-server.ts';
import { describeViolations, ROW_KINDS, type RowKind } from './validate-row.ts';

interface Schema {
  required: string[];
  properties: Record<string, { enum?: unknown[] }>;
  $defs: Record<string, { description?: string; pattern?: string; $ref?: string }>;
}

function schemaOf(name: string): Schema {
  return JSON.parse(readFileSync(new URL(`../../../schemas/${name}.schema.json`, import.meta.url), 'utf8'));
}

const readme = readFileSync(new URL('../../../sample/README.md', import.meta.url), 'utf8');
const examples = (/```json\n([\s\S]*?)\n```/.exec(readme)?.[1] ?? '').split('\n');
const PARSERS = {
  listing: parseListing,
  creator: parseCreator,
  account: parseAccount,
  artifact: parseArtifact,
  relation: parseRelation,
  server: parseServer,
  packument: parsePackument,
  project: parseProject,
  scorecard: parseScorecardRow,
  agent_card: parseAgentCard,
  skills_index: parseSkillsIndex,
};

function exampleOf(kind: RowKind): ImportedRow {
  return JSON.parse(examples.find((line) => parseRow(line).kind === kind) ?? 'null');
}

/** Kinds that are read by few fields at their top, because the rest is inside these. */
const FEW_FIELDS: Readonly<Record<string, number>> = {
  server: 1,
  project: 1,
  packument: 2,
  scorecard: 2,
  agent_card: 2,
  skills_index: 1,
};

describe.each(ROW_KINDS)('the published schema of a %s', (kind) => {
  const schema = schemaOf(kind);

  it('asks for the fields that the documentation says a row must have', () => {
    const [, link, fields = ''] =
      new RegExp(`^\\| \\[${kind}\\]\\((.*?)\\) \\|.*\\| (.*) \\|$`, 'm').exec(readme) ?? [];

    expect(link).toBe(`../schemas/${kind}.schema.json`);
    expect(fields.match(/\w+/g)).toEqual(schema.required);
  });

  it('accepts the documented row in any validator, and refuses it without any of those fields', () => {
    const validator = new Ajv2020({ strict: false, logger: false, validateFormats: false });
    for (const name of ['fields', ...ROW_KINDS]) validator.addSchema(schemaOf(name), `${name}.schema.json`);
    const example = exampleOf(kind);

    expect(validator.validate(`${kind}.schema.json`, example)).toBe(true);
    expect(describeViolations(kind, example)).toBeNull();
    for (const field of schema.required) {
      expect(describeViolations(kind, { ...example, [field]: undefined })).toMatch(new RegExp(`^${field}: `));
    }
  });

  it('describes every field that is read from a row', () => {
    const read = new Set<string>();
    const row = new Proxy(exampleOf(kind), {
      get: (target, name: string) => {
        read.add(name);
        return target[name];
      },
    });

    PARSERS[kind](row);

    // The fields of an entry are inside two objects. An answer has `servers` in their place.
    read.delete('servers');
    expect(read.size).toBeGreaterThan(FEW_FIELDS[kind] ?? 3);
    expect([...read].filter((name) => !Object.hasOwn(schema.properties, name))).toEqual([]);
  });
});

describe('the published schemas', () => {
  const fields = schemaOf('fields').$defs;

  it('have the choices that the registry stores', () => {
    const { category } = schemaOf('listing').properties;
    const { type, kind, crossLink } = schemaOf('account').properties;

    expect(category?.enum).toEqual(CATEGORIES);
    expect(type?.enum).toEqual(ACCOUNT_TYPES);
    expect(kind?.enum).toEqual(ACCOUNT_KINDS);
    expect(crossLink?.enum).toEqual([...CROSS_LINKS, null]);
  });

  it('accept the same names, accounts and repositories as every other interface', () => {
    const matches = (name: string, text: string) => new RegExp(fields[name]?.pattern ?? '', 'u').test(text);
    const part = fc.string({
      unit: fc.constantFrom('a', 'Z', '0', '.', '_', '-', '~', '/', ' ', 'é'),
      maxLength: 5,
    });
    const text = fc.oneof(
      part,
      fc.tuple(part, part).map((parts) => parts.join('/')),
    );

    expect(fields.shownText?.pattern).toBe(NAME_PATTERN);
    expect(fields.shownText?.description).toBe(`must be text with ${NAME_RULE}`);
    fc.assert(
      fc.property(text, (name) => {
        expect(matches('owner', name)).toBe(isOwnerName(name));
        expect(matches('repository', name)).toBe(isRepositoryName(name));
      }),
      { numRuns: 3_000 },
    );
  });

  it('describe every field', () => {
    for (const [name, { description, $ref }] of Object.entries(fields)) {
      expect($ref ?? description, name).toMatch(/^(must|#)/);
    }
  });
});
