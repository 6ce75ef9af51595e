import type { Naming } from '../../subjects/naming.ts';
import { DOCS_SCRIPT_PATH, DOCS_STYLE_PATH } from '../../ui/assets.ts';
import { toDocument } from '../../ui/document.ts';
import { Layout } from '../../ui/layout.tsx';
import { absoluteAddress, siteOf } from '../frame/absolute-address.ts';
import { DocsView } from './docs-view.tsx';
import type { ReferenceGroup } from './reference-index.ts';

/** The API reference. */
export function docsDocument(groups: readonly ReferenceGroup[], naming: Naming): string {
  const title = 'API reference · Trust Directory';
  const url = absoluteAddress('/docs', naming);
  const description =
    'Every endpoint of the Trust Directory, with its parameters, answers, errors and examples.';
  const files = { style: DOCS_STYLE_PATH, script: DOCS_SCRIPT_PATH };
  return toDocument(
    <Layout title={title} canonical={url} shared={{ url, description }} current="docs" {...files}>
      <DocsView groups={groups} site={siteOf(naming)} />
    </Layout>,
  );
}
