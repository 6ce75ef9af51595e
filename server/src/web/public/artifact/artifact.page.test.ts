import { describe, expect, it } from 'vitest';
import { artifactWith } from '../../../../testing/pages/pages-with.ts';
import { observation, repositoryFacts, scoreRequest } from '../../../../testing/scoring/golden-vectors.ts';
import { createPublicUrls } from '../../../catalog/subjects/public-path.ts';
import { scoreByMethod } from '../../../scoring/embedded/embedded-backend.ts';
import { artifactDocument } from './artifact.page.tsx';

const publicUrls = createPublicUrls('https://trust.example');

function documentOf(known: Parameters<typeof repositoryFacts>[0]): string {
  const page = artifactWith('x');
  const facts = repositoryFacts(known);
  const scored = scoreByMethod(scoreRequest(facts, 'skill'));
  if (page.score === null) throw new Error('the page has no score');
  return artifactDocument({ ...page, score: { ...page.score, ...scored, facts } }, publicUrls);
}

/** Returns the names of the signals whose row has the mark `repository`. */
function marked(html: string): string[] {
  return [...html.matchAll(/<th scope="row">([^<]*?) <span class="chip tag">repository<\/span>/g)].map(
    ([, name]) => name ?? '',
  );
}

describe('the document of an artifact', () => {
  it("marks the repository's figures, and links to the repository's page", () => {
    const document = documentOf({
      verified: observation(false),
      stars: observation(40),
      license: observation('MIT'),
    });

    expect(marked(document)).toEqual([
      'Last commit',
      'Stars',
      'Proof of the owner',
      'Age of the repository',
      'OpenSSF Scorecard',
      'Forks',
      'Independent lists',
      'Licence',
      'Releases',
      'Contributors',
      'Open issues',
      'Security policy',
    ]);
    expect(document).toMatch(/marks facts of <a href="\/c\/acme"><bdi>x<\/bdi><\/a> as a whole/);
  });

  it("does not mark the downloads of its own package as the repository's", () => {
    const document = documentOf({ verified: observation(false), monthlyDownloads: observation(900) });

    expect(marked(document)).not.toContain('Stars');
    expect(document).toContain('900 downloads a month');
  });
});
