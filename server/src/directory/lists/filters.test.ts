import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { parse } from 'yaml';
import { FILTERS, type Filter, SHOWN_FILTERS } from './filters.ts';
import { SORT_NAMES } from './sorts.ts';

interface Schema {
  $ref?: string;
  enum?: string[];
  type?: string;
}

const { paths, components } = parse(
  readFileSync(new URL('../../../../openapi.yaml', import.meta.url), 'utf8'),
);
const parameters: { name: string; schema: Schema }[] = paths['/api/agents'].get.parameters.map(
  ({ $ref }: { $ref: string }) => components.parameters[lastPart($ref)],
);

function lastPart(ref: string): string {
  return ref.split('/').at(-1) ?? '';
}

function schemaOf(name: string): Schema {
  const schema = parameters.find((parameter) => parameter.name === name)?.schema ?? {};
  return schema.$ref ? components.schemas[lastPart(schema.$ref)] : schema;
}

it.each(SHOWN_FILTERS)('the values of the filter %s are those of the contract', (name: Filter) => {
  const { values } = FILTERS[name];
  const allowed = schemaOf(name);

  if (allowed.type === 'boolean') expect(values).toEqual([true]);
  else expect([...(values ?? [])].sort()).toEqual([...(allowed.enum ?? [])].sort());
});

it('the filters are the parameters of the contract', () => {
  const others = ['q', 'sort', 'limit', 'offset', 'cursor', 'If-None-Match', 'facets', 'updatedSince'];
  const named = parameters.map(({ name }) => name).filter((name) => !others.includes(name));

  expect([...SHOWN_FILTERS].sort()).toEqual(named.sort());
});

it('the sorts are those of the contract', () => {
  expect([...SORT_NAMES].sort()).toEqual([...(schemaOf('sort').enum ?? [])].sort());
});

it('each filter has a place and a term prefix of its own', () => {
  const entries = SHOWN_FILTERS.map((name) => ({ prefix: null, ...FILTERS[name] }));
  const prefixes = entries.flatMap(({ stored, prefix }) => (/term/.test(stored) ? [prefix] : []));

  expect(entries.map(({ place }) => place)).toEqual(entries.map((_, index) => index + 1));
  expect(new Set(prefixes).size).toBe(prefixes.length);
  expect(prefixes).not.toContain(null);
});
