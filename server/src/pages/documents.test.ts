import { describe, expect, it } from 'vitest';
import { expectHarmless, HOSTILE } from '../../testing/pages/harmless.ts';
import { artifactWith, creatorWith, listingWith } from '../../testing/pages/pages-with.ts';
import { DomainError } from '../domain-error.ts';
import { createNaming } from '../subjects/naming.ts';
import { problemDocument } from '../ui/problem-document.tsx';
import { artifactDocument } from './artifact/artifact-document.tsx';
import { cardSvg } from './badge/card.tsx';
import { creatorDocument } from './creator/creator-document.tsx';
import { listDocument } from './list/list-document.tsx';
import { readPageQuery } from './list/page-query.ts';
import { listingDocument } from './listing/listing-document.tsx';

const naming = createNaming('https://trust.example');

describe('documents', () => {
  it.each(HOSTILE)('never let %j in any field become markup, a handler or a link that runs', (text) => {
    const list = readPageQuery({ q: text });

    expectHarmless(listingDocument(listingWith(text), naming));
    expectHarmless(artifactDocument(artifactWith(text), naming));
    expectHarmless(creatorDocument(creatorWith(text), naming));
    expectHarmless(
      listDocument(list, creatorWith(text).listings, 999, { facets: [], tags: [], untagged: 0 }, naming),
    );
    expectHarmless(cardSvg({ kind: text, name: text, path: '/a/x/y' }, null));
    const candidate = { canonical_id: 'x', type: text, name: text, repository: text, public_path: '/s/a/b' };
    expectHarmless(problemDocument(new DomainError('subject_ambiguous', text, { candidates: [candidate] })));
  });

  it('never call anything safe or secure', () => {
    const documents = [listingDocument(listingWith('x'), naming), creatorDocument(creatorWith('x'), naming)];

    for (const document of documents) expect(document).not.toMatch(/\b(safe|secure)\b/i);
  });
});
