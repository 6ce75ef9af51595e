import type { PublicUrls } from '../../../catalog/subjects/public-path.ts';
import { HOME_STYLE_PATH } from '../../components/assets.ts';
import { Layout, renderDocument } from '../../components/layout.tsx';
import { siteOrigin } from '../frame/page-dependencies.ts';
import type { HomePage } from './home-view.tsx';
import { HomeView } from './home-view.tsx';

const ABOUT =
  'Check an AI agent before you use it: who made it, what it is built on, and how much of that can be verified.';

/** Renders the HTML document of the home page. */
export function homeDocument(page: HomePage, publicUrls: PublicUrls): string {
  const site = siteOrigin(publicUrls);
  const url = `${site}/`;
  return renderDocument(
    <Layout
      title="Trust Directory · Check an AI agent before you use it"
      canonical={url}
      openGraph={{ url, description: ABOUT }}
      hasOwnSearch={true}
      style={HOME_STYLE_PATH}
    >
      <HomeView page={page} site={site} />
    </Layout>,
  );
}
