import type { Naming } from '../../subjects/naming.ts';
import { COMPARE_STYLE_PATH } from '../../ui/assets.ts';
import { toDocument } from '../../ui/document.ts';
import { Layout } from '../../ui/layout.tsx';
import { absoluteAddress } from '../frame/absolute-address.ts';
import type { ComparePage } from './compare-page-data.ts';
import { CompareView } from './compare-view.tsx';

/** The page that compares, whole. Only its empty form is for search engines. */
export function compareDocument(page: ComparePage, naming: Naming): string {
  const names = page.columns.map(({ subject }) => subject.name);
  const title = names.length > 1 ? `${names.join(' or ')}?` : 'Compare agents and skills';
  const isEmpty = page.asked.length === 0;
  return toDocument(
    <Layout
      title={`${title} · Trust Directory`}
      {...(isEmpty ? { canonical: absoluteAddress('/compare', naming) } : { unlisted: true })}
      current="compare"
      style={COMPARE_STYLE_PATH}
    >
      <CompareView page={page} />
    </Layout>,
  );
}
