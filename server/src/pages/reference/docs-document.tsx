import type { ComponentChildren } from 'preact';
import type { Naming } from '../../subjects/naming.ts';
import { DOCS_STYLE_PATH } from '../../ui/assets.ts';
import { toDocument } from '../../ui/document.ts';
import { Layout } from '../../ui/layout.tsx';
import { absoluteAddress, siteOf } from '../frame/absolute-address.ts';
import { codeSamples } from './code-samples.ts';
import { DocsFrame } from './docs-frame.tsx';
import { EndpointView } from './endpoint-view.tsx';
import { ErrorsView } from './errors-view.tsx';
import { guideSamples } from './guide-samples.ts';
import { GuideView } from './guide-view.tsx';
import { splitLead } from './markdown.tsx';
import { endpointOf, endpointPath, type Reference } from './reference.ts';
import type { RealNames } from './sample-subjects.ts';
import type { Place } from './search-reference.ts';
import { SearchView } from './search-view.tsx';

interface DocsPage {
  reference: Reference;
  naming: Naming;
  path: string;
  title: string;
  description: string;
  query?: string;
}

function toPage(
  { reference, naming, path, title, description, query }: DocsPage,
  content: ComponentChildren,
) {
  const url = absoluteAddress(path, naming);
  return toDocument(
    <Layout
      title={`${title} · Trust Directory`}
      canonical={url}
      shared={{ url, description }}
      current="docs"
      style={DOCS_STYLE_PATH}
      unlisted={query !== undefined}
    >
      <DocsFrame reference={reference} current={path} query={query ?? ''}>
        {content}
      </DocsFrame>
    </Layout>,
  );
}

/** The guide. */
export function guideDocument(
  reference: Reference,
  names: RealNames,
  naming: Naming,
  installLine: string | null,
): string {
  const title = 'Documentation';
  const description =
    'From nothing to a first score: keys, a first call, errors, retries, prices, the SDK and the mock.';
  const samples = guideSamples(siteOf(naming), names);
  return toPage(
    { reference, naming, path: '/docs', title, description },
    <GuideView reference={reference} samples={samples} installLine={installLine} />,
  );
}

/** The page of one endpoint. */
export function endpointDocument(
  reference: Reference,
  operationId: string,
  names: RealNames,
  naming: Naming,
): string {
  const endpoint = endpointOf(reference, operationId);
  const { summary: title } = endpoint;
  const description = splitLead(endpoint.description).lead.replaceAll(/[`*\n]+/g, ' ');
  const samples = codeSamples(endpoint, siteOf(naming), names);
  return toPage(
    { reference, naming, path: endpointPath(operationId), title, description },
    <EndpointView endpoint={endpoint} samples={samples} />,
  );
}

/** Every error code. */
export function errorsDocument(reference: Reference, naming: Naming): string {
  const description = 'Every error code of the Trust Directory: what it means, and what to do about it.';
  return toPage(
    { reference, naming, path: '/docs/errors', title: 'Error codes', description },
    <ErrorsView reference={reference} />,
  );
}

/** What a search of the documentation found. */
export function searchDocument(
  reference: Reference,
  query: string,
  found: readonly Place[],
  naming: Naming,
): string {
  const title = `${query} · Documentation`;
  return toPage(
    { reference, naming, path: '/docs', title, description: 'A search of the documentation.', query },
    <SearchView query={query} found={found} />,
  );
}
