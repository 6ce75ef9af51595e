import type { PublicUrls } from '../../../catalog/subjects/public-path.ts';
import { Layout, renderDocument } from '../../components/layout.tsx';
import { siteOrigin } from '../frame/page-dependencies.ts';
import { subjectLayout } from '../frame/subject-layout.ts';
import type { ListingPage } from './listing-view.tsx';
import { ListingView } from './listing-view.tsx';

/** Renders the HTML document of a listed agent or skill. */
export function listingDocument(page: ListingPage, publicUrls: PublicUrls): string {
  const { subject, score } = page;
  return renderDocument(
    <Layout {...subjectLayout(subject, subject.agentId ?? subject.id, score, publicUrls)}>
      <ListingView page={page} site={siteOrigin(publicUrls)} />
    </Layout>,
  );
}
