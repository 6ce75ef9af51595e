import type { Naming } from '../../subjects/naming.ts';
import { toDocument } from '../../ui/document.ts';
import { Layout } from '../../ui/layout.tsx';
import { siteOf } from '../frame/absolute-address.ts';
import { subjectFrame } from '../frame/subject-frame.ts';
import type { AccountPage } from './account-page-data.ts';
import { AccountView } from './account-view.tsx';

/** One social or messaging account. */
export function accountDocument(page: AccountPage, naming: Naming): string {
  return toDocument(
    <Layout {...subjectFrame(page.subject, page.subject.id, page.score, naming)}>
      <AccountView page={page} site={siteOf(naming)} />
    </Layout>,
  );
}
