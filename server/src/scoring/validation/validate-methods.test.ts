import { expect, it } from 'vitest';
import { type Label, parseLabel } from './labels.ts';
import { limitsOf, originOfGroup } from './validate-methods.ts';

function labelsOf(form: string, clusters: readonly string[]): Label[] {
  return clusters.flatMap((cluster, index) => {
    const label = parseLabel(JSON.stringify({ subject: `${form}:${index}`, label: 'bad', cluster }));
    return typeof label === 'string' ? [] : label;
  });
}

it('the limits name what is wrong with the labels, and clusters that dominate them', () => {
  const limits = limitsOf([...labelsOf('skill', ['a', 'b', 'b', 'c']), ...labelsOf('npm', ['x', 'y', 'z'])]);

  expect(limits).toContain('2 of the 4 labelled skills are of one repository or campaign: b.');
  expect(limits.filter((limit) => limit.includes('labelled npm'))).toEqual([]);
  expect(limits.join(' ')).toMatch(/missing because they are bad.+identity, not goodness/);
  expect(limitsOf(labelsOf('npm', ['x'])).join(' ')).not.toContain('campaign');
});

it('without labels, only the limits of the lists remain', () => {
  expect(limitsOf(null).join(' ')).not.toContain('bad');
  expect(limitsOf(null)).not.toEqual([]);
});

it('the origin of a collection has its licence; that of an unknown one refers to its source', () => {
  expect(originOfGroup('docker/mcp-registry')).toEqual({ source: 'docker/mcp-registry', licence: 'MIT' });
  expect(originOfGroup('bumblebee-mastra-2026-06-17').source).toBe('perplexityai/bumblebee');
  expect(originOfGroup('another')).toEqual({ source: 'another', licence: 'as its source says' });
});
