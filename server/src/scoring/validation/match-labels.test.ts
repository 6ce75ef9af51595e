import { describe, expect, it } from 'vitest';
import { measuredListing } from '../../../testing/scoring/measured-listing.ts';
import { createLabelMatcher } from './match-labels.ts';
import { type Label, parseLabel } from './parse-label.ts';

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
