import type { Naming } from '../../subjects/naming.ts';
import { HOME_STYLE_PATH } from '../../ui/assets.ts';
import { toDocument } from '../../ui/document.ts';
import { Layout } from '../../ui/layout.tsx';
import { siteOf } from '../frame/absolute-address.ts';
import type { HomePage } from './home-page-data.ts';
import { HomeView } from './home-view.tsx';

const ABOUT =
  'Check an AI agent before you use it: who made it, what it is built on, and how much of that can be verified.';

/** The home page. */
export function homeDocument(page: HomePage, naming: Naming): string {
  const site = siteOf(naming);
  const url = `${site}/`;
  return toDocument(
    <Layout
      title="Trust Directory · Check an AI agent before you use it"
      canonical={url}
      shared={{ url, description: ABOUT }}
      hasOwnSearch={true}
      style={HOME_STYLE_PATH}
    >
      <HomeView page={page} site={site} />
    </Layout>,
  );
}
