import type { Naming } from '../../subjects/naming.ts';
import { toDocument } from '../../ui/document.ts';
import { Layout } from '../../ui/layout.tsx';
import { siteOf } from '../frame/absolute-address.ts';
import { subjectFrame } from '../frame/subject-frame.ts';
import type { ArtifactPage } from './artifact-page-data.ts';
import { ArtifactView } from './artifact-view.tsx';

/** One agent or skill inside a listed repository. */
export function artifactDocument(page: ArtifactPage, naming: Naming): string {
  return toDocument(
    <Layout {...subjectFrame(page.subject, page.subject.id, page.score, naming)}>
      <ArtifactView page={page} site={siteOf(naming)} />
    </Layout>,
  );
}
