import type { PublicUrls } from '../../../catalog/subjects/public-path.ts';
import { COMPARE_STYLE_PATH } from '../../components/assets.ts';
import { Layout, renderDocument } from '../../components/layout.tsx';
import { absoluteUrl } from '../frame/page-dependencies.ts';
import type { ComparePage } from './compare-view.tsx';
import { CompareView } from './compare-view.tsx';

const ABOUT =
  'Two to four AI agents or skills side by side: owner, licence, activity, use and trust, differences first.';
const UNLISTED = { unlisted: true };

/** Renders the HTML document of a comparison. Search engines may index only the page without names. */
export function compareDocument(page: ComparePage, publicUrls: PublicUrls): string {
  const names = page.columns.map(({ subject }) => subject.name);
  const title = names.length > 1 ? `${names.join(' or ')}?` : 'Compare agents and skills';
  const url = absoluteUrl('/compare', publicUrls);
  const place =
    page.requestedNames.length === 0 ? { canonical: url, openGraph: { url, description: ABOUT } } : UNLISTED;
  return renderDocument(
    <Layout title={`${title} · Trust Directory`} {...place} current="compare" style={COMPARE_STYLE_PATH}>
      <CompareView page={page} />
    </Layout>,
  );
}
