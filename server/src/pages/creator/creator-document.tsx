import type { Naming } from '../../subjects/naming.ts';
import { toDocument } from '../../ui/document.ts';
import { Layout } from '../../ui/layout.tsx';
import { siteOf } from '../frame/absolute-address.ts';
import { subjectFrame } from '../frame/subject-frame.ts';
import type { CreatorPage } from './creator-page-data.ts';
import { CreatorView } from './creator-view.tsx';

/** One creator. */
export function creatorDocument(page: CreatorPage, naming: Naming): string {
  const { id, displayName, handle, publicPath } = page.identity;
  const subject = { type: 'creator', name: displayName ?? handle, publicPath } as const;
  return toDocument(
    <Layout {...subjectFrame(subject, id, page.score, naming)} unlisted={page.offset > 0}>
      <CreatorView page={page} site={siteOf(naming)} />
    </Layout>,
  );
}
