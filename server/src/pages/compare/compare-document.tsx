import type { Naming } from '../../subjects/naming.ts';
import { COMPARE_STYLE_PATH } from '../../ui/assets.ts';
import { toDocument } from '../../ui/document.ts';
import { Layout } from '../../ui/layout.tsx';
import { absoluteAddress } from '../frame/absolute-address.ts';
import type { ComparePage } from './compare-page-data.ts';
import { CompareView } from './compare-view.tsx';

const ABOUT =
  'Two to four AI agents or skills side by side: owner, licence, activity, use and trust, differences first.';
const UNLISTED = { unlisted: true };

/** The page that compares, whole. Only its empty form is for search engines. */
export function compareDocument(page: ComparePage, naming: Naming): string {
  const names = page.columns.map(({ subject }) => subject.name);
  const title = names.length > 1 ? `${names.join(' or ')}?` : 'Compare agents and skills';
  const url = absoluteAddress('/compare', naming);
  const place = page.asked.length === 0 ? { canonical: url, shared: { url, description: ABOUT } } : UNLISTED;
  return toDocument(
    <Layout title={`${title} · Trust Directory`} {...place} current="compare" style={COMPARE_STYLE_PATH}>
      <CompareView page={page} />
    </Layout>,
  );
}
