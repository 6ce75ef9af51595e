import type { Naming } from '../../subjects/naming.ts';
import { toDocument } from '../../ui/document.ts';
import { Layout } from '../../ui/layout.tsx';
import { siteOf } from '../frame/absolute-address.ts';
import { subjectFrame } from '../frame/subject-frame.ts';
import type { ListingPage } from './listing-page-data.ts';
import { ListingView } from './listing-view.tsx';

/** One agent or skill with its own listing. */
export function listingDocument(page: ListingPage, naming: Naming): string {
  const { subject, score } = page;
  return toDocument(
    <Layout {...subjectFrame(subject, subject.agentId ?? subject.id, score, naming)}>
      <ListingView page={page} site={siteOf(naming)} />
    </Layout>,
  );
}
