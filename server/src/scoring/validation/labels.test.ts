import { describe, expect, it } from 'vitest';
import { measuredListing } from '../../../testing/scoring/measured-listing.ts';
import { createLabelMatcher, type Label, parseLabel } from './labels.ts';

const ROW = { subject: 'npm:mcp-mermaid', label: 'bad', cluster: 'antv-mini-shai-hulud' };

const parse = (row: unknown) => parseLabel(JSON.stringify(row));

describe('a label', () => {
  it('is read with all that a measurement needs', () => {
    const row = {
      ...ROW,
      group: 'osv-mal',
      scope: 'versions',
      versions: ['0.5.1'],
      listings: ['hustcc/mcp-mermaid'],
      leaks: ['presence in curated registries'],
    };

    expect(parse(row)).toEqual({
      form: 'npm',
      name: 'mcp-mermaid',
      judgement: 'bad',
      group: 'osv-mal',
      cluster: 'antv-mini-shai-hulud',
      scope: 'versions',
      listings: ['hustcc/mcp-mermaid'],
      leaks: ['presence in curated registries'],
    });
  });

  it('may leave out group, scope, listings and leaks', () => {
    expect(parse({ ...ROW, scope: null })).toMatchObject({
      group: 'not stated',
      scope: null,
      listings: [],
      leaks: [],
    });
  });

  it.each([
    ['{"subject"', 'the line is not JSON'],
    ['[1]', 'must be a JSON object'],
    ['null', 'must be a JSON object'],
    [JSON.stringify({ ...ROW, subject: 'gem:rails' }), 'one of npm:, pypi:, repo:, skill:'],
    [JSON.stringify({ ...ROW, subject: 'npm:' }), 'subject must be a name'],
    [JSON.stringify({ ...ROW, subject: 7 }), 'subject must be a name'],
    [JSON.stringify({ ...ROW, label: 'evil' }), 'label must be one of good, bad, suspect'],
    [JSON.stringify({ ...ROW, cluster: undefined }), 'cluster is missing'],
    [JSON.stringify({ ...ROW, cluster: '' }), 'cluster must be a text'],
    [JSON.stringify({ ...ROW, group: 5 }), 'group must be a text'],
    [JSON.stringify({ ...ROW, listings: 'a/b' }), 'listings must be a list of texts'],
    [JSON.stringify({ ...ROW, leaks: [1] }), 'leaks must be a list of texts'],
  ])('is refused if malformed: %s', (text, problem) => {
    expect(parseLabel(text)).toContain(problem);
  });
});

const LISTINGS = [
  measuredListing('Acme/Robot', {}, { npmPackage: 'robot', pypiPackage: 'Robot-Py' }),
  measuredListing('acme/first', {}, { npmPackage: 'https' }),
  measuredListing('acme/second', {}, { npmPackage: 'https' }),
  measuredListing('acme/third', {}, { npmPackage: 'https' }),
  measuredListing('acme/elsewhere', {}, { host: 'gitlab.com' }),
].map(({ listing }) => listing);

const match = createLabelMatcher(LISTINGS);

function label(subject: string, listings: string[] = []): Label {
  const parsed = parseLabel(JSON.stringify({ subject, label: 'bad', cluster: 'c', listings }));
  if (typeof parsed === 'string') throw new Error(parsed);
  return parsed;
}

describe('a label', () => {
  it.each([
    ['npm:robot', ['Acme/Robot']],
    ['npm:Robot', []],
    ['npm:https', []],
    ['npm:robot-two', []],
    ['pypi:robot-py', ['Acme/Robot']],
    ['repo:acme/robot', ['Acme/Robot']],
    ['repo:acme/elsewhere', []],
    ['repo:acme', []],
    ['skill:acme/robot', []],
  ])('of %s is about %j', (subject, repositories) => {
    expect(match(label(subject)).map(({ repository }) => repository)).toEqual(repositories);
  });

  it('is about each listing that it names, once', () => {
    const found = match(label('npm:robot', ['acme/robot', 'acme/second', 'acme/unknown']));

    expect(found.map(({ repository }) => repository)).toEqual(['Acme/Robot', 'acme/second']);
  });
});
