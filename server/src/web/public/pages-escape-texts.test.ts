import { describe, expect, it } from 'vitest';
import { expectHarmless, HOSTILE } from '../../../testing/pages/expect-harmless.ts';
import { listedPageWith } from '../../../testing/pages/listed-page.ts';
import { artifactWith, creatorWith, listingWith } from '../../../testing/pages/pages-with.ts';
import { createPublicUrls } from '../../catalog/subjects/public-path.ts';
import { DomainError } from '../../platform/errors/domain-error.ts';
import { problemDocument } from '../components/failure-page.tsx';
import { artifactDocument } from './artifact/artifact.page.tsx';
import { cardSvg } from './badge/card-svg.tsx';
import { creatorDocument } from './creator/creator.page.tsx';
import { listDocument } from './list/list.page.tsx';
import { parseListQuery } from './list/page-links.tsx';
import { listingDocument } from './listing/listing.page.tsx';

const publicUrls = createPublicUrls('https://trust.example');

const NO_CHOICES = { any: 0, choices: [] };
const NO_COUNTS = { facets: [], tag: NO_CHOICES, verdict: NO_CHOICES };

describe('documents', () => {
  it.each(HOSTILE)('never let %j in any field become markup, a handler or a link that runs', (text) => {
    const list = parseListQuery({ q: text });

    expectHarmless(listingDocument(listingWith(text), publicUrls));
    expectHarmless(artifactDocument(artifactWith(text), publicUrls));
    expectHarmless(creatorDocument(creatorWith(text), publicUrls));
    const found = listedPageWith(text);
    const none = { ...found, agents: [], nearest: found.agents, total: 0 };
    for (const page of [found, none]) expectHarmless(listDocument(list, page, NO_COUNTS, publicUrls));
    expectHarmless(cardSvg({ kind: text, name: text, path: '/a/x/y' }, null));
    const candidate = { canonical_id: 'x', type: text, name: text, repository: text, public_path: '/s/a/b' };
    expectHarmless(problemDocument(new DomainError('subject_ambiguous', text, { candidates: [candidate] })));
  });

  it('never call anything safe or secure', () => {
    const documents = [
      listingDocument(listingWith('x'), publicUrls),
      creatorDocument(creatorWith('x'), publicUrls),
    ];

    for (const document of documents) expect(document).not.toMatch(/\b(safe|secure)\b/i);
  });
});
