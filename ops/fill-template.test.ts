import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { fillTemplate } from './fill-template.ts';

const template = (name: string) => readFileSync(new URL(name, import.meta.url), 'utf8');
const placesOf = (text: string) => [...new Set(text.match(/(?<=\$\{)\w+(?=\})/g))];

/** Joins a placeholder from two parts, because `${` in an ordinary string looks like a mistake. */
const place = (name: string) => ['$', `{${name}}`].join('');

describe('fillTemplate', () => {
  it('puts a value in each of its places, whatever characters it has', () => {
    const text = `a ${place('A')} b ${place('B')} c ${place('A')}`;
    const odd = `$1 $& ${place('B')}`;

    expect(fillTemplate(text, { A: odd, B: '2' })).toBe(`a ${odd} b 2 c ${odd}`);
  });

  it('names the place that has no value', () => {
    expect(() => fillTemplate(place('PORT'), {})).toThrow('asks for PORT');
  });

  it('names the value that has no place', () => {
    expect(() => fillTemplate(place('A'), { A: '1', PORTS: '2' })).toThrow('no place for PORTS');
  });

  it.each([
    'ha/etcd.yml',
    'ha/patroni.yml',
    'ha/haproxy.cfg',
    'balancer/haproxy.cfg',
    'pooler/pgbouncer.ini',
  ])('leaves no place of %s open', (name) => {
    const text = template(name);
    const values = Object.fromEntries(placesOf(text).map((place) => [place, 'x']));

    expect(Object.keys(values)).not.toHaveLength(0);
    expect(fillTemplate(text, values)).not.toContain('$');
  });
});

describe('the template of a node', () => {
  it('waits for a standby, strictly, as one setting decides both', () => {
    const text = template('ha/patroni.yml');

    expect(text).toMatch(/^ {4}synchronous_mode: \$\{SYNCHRONOUS\}$/m);
    expect(text).toMatch(/^ {4}synchronous_mode_strict: \$\{SYNCHRONOUS\}$/m);
  });
});
