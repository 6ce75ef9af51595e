import { describe, expect, it } from 'vitest';
import { artifactWith } from '../../../testing/pages/pages-with.ts';
import { repositoryFacts, scoreRequest, seen } from '../../../testing/scoring/golden-vectors.ts';
import { scoreByMethod } from '../../scoring/embedded/embedded-backend.ts';
import { createNaming } from '../../subjects/naming.ts';
import { artifactDocument } from './artifact-document.tsx';

const naming = createNaming('https://trust.example');

function documentOf(known: Parameters<typeof repositoryFacts>[0]): string {
  const page = artifactWith('x');
  const facts = repositoryFacts(known);
  const scored = scoreByMethod(scoreRequest(facts, 'skill'));
  if (page.score === null) throw new Error('the page has no score');
  return artifactDocument({ ...page, score: { ...page.score, ...scored, facts } }, naming);
}

/** The signals whose row says that the repository has them. */
function marked(html: string): string[] {
  return [...html.matchAll(/<th scope="row">([^<]*?) <span class="chip tag">repository<\/span>/g)].map(
    ([, name]) => name ?? '',
  );
}

describe('the document of an artifact', () => {
  it('says which figures are those of its repository, with a link to it', () => {
    const document = documentOf({ verified: seen(false), stars: seen(40), license: seen('MIT') });

    expect(marked(document)).toEqual([
      'Last commit',
      'Stars',
      'Verified listing',
      'Forks',
      'Licence',
      'Open issues',
    ]);
    expect(document).toMatch(/marks facts of <a href="\/c\/acme"><bdi>x<\/bdi><\/a> as a whole/);
  });

  it('does not take the downloads of its own package for its repository’s', () => {
    const document = documentOf({ verified: seen(false), monthlyDownloads: seen(900) });

    expect(marked(document)).not.toContain('Stars');
    expect(document).toContain('900 downloads a month');
  });
});
