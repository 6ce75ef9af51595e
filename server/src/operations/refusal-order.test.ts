import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { parse } from 'yaml';
import { ERROR_STATUS } from '../platform/errors/domain-error.ts';
import { REFUSALS } from './refusal-order.ts';

const read = (path: string) => readFileSync(new URL(path, import.meta.url), 'utf8');

/** Checks that other layers make before the refusals, under the contract's names. `AFTER` is the check that follows. */
const BEFORE = ['JSON', 'required fields and types', '`channel`', '`operation`', 'credential'];
const AFTER = ['subject'];

it('are in the order of the contract', () => {
  const { description } = parse(read('../../../openapi.yaml')).paths['/api/svc/operations/run'].post;
  const [, order = ''] = /\*\*Order of checks\.\*\* ([^.]*)\./.exec(description.replace(/\s+/g, ' ')) ?? [];

  expect(order.split(', ')).toEqual([...BEFORE, ...REFUSALS.map(({ name }) => name), ...AFTER]);
});

it('are steps 6 to 8 of the README, in the same order, and are all checked again there', () => {
  const readme = read('README.md');
  const rows = [...readme.matchAll(/^\| ([678]) \| (.*) \|$/gm)].map(([, , refusals = '']) => refusals);
  const stated = rows.flatMap((row) => row.split(', '));
  const listed = REFUSALS.flatMap(({ codes }) => codes.map((code) => `${ERROR_STATUS[code]} \`${code}\``));

  expect(rows).toHaveLength(3);
  expect(stated).toEqual(listed);
  expect(readme).toContain('refusals of steps 5 to 8 if the state has changed since');
  expect(REFUSALS.filter(({ isReevaluated }) => !isReevaluated)).toEqual([]);
});
