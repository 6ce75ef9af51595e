import { expect, it } from 'vitest';
import { creatorWith } from '../../../testing/pages/pages-with.ts';
import { createNaming } from '../../subjects/naming.ts';
import { creatorDocument } from './creator-document.tsx';

it('says of the figures of a creator’s agents and skills when they were read', () => {
  const document = creatorDocument(creatorWith('x'), createNaming('https://trust.example'));

  expect(document).toMatch(/id="listings".*Repository figures as of <time[^>]*>1 Aug 2026</s);
});
