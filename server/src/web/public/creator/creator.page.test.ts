import { expect, it } from 'vitest';
import { creatorWith } from '../../../../testing/pages/pages-with.ts';
import { createPublicUrls } from '../../../catalog/subjects/public-path.ts';
import { creatorDocument } from './creator.page.tsx';

it('states when the figures of a creator’s agents and skills were read', () => {
  const document = creatorDocument(creatorWith('x'), createPublicUrls('https://trust.example'));

  expect(document).toMatch(/id="listings".*Repository figures as of <time[^>]*>1 Aug 2026</s);
});
