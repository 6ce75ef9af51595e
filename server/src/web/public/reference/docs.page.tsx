import type { ComponentChildren } from 'preact';
import type { PublicUrls } from '../../../catalog/subjects/public-path.ts';
import { DOCS_STYLE_PATH } from '../../components/assets.ts';
import { Layout, renderDocument } from '../../components/layout.tsx';
import { absoluteUrl, siteOrigin } from '../frame/page-dependencies.ts';
import { MarkdownLine, splitLead } from './code-block.tsx';
import { codeSamples, guideSamples } from './code-samples.ts';
import type { SearchEntry } from './docs.route.ts';
import { DocsLayout } from './docs-layout.tsx';
import { EndpointView } from './endpoint-view.tsx';
import { GuideView } from './guide-view.tsx';
import type { NameReplacements } from './name-replacements.ts';
import { endpointPath, findEndpoint, type Reference } from './reference.ts';

interface DocsPage {
  reference: Reference;
  publicUrls: PublicUrls;
  path: string;
  title: string;
  description: string;
  query?: string;
}

function toPage(
  { reference, publicUrls, path, title, description, query }: DocsPage,
  content: ComponentChildren,
) {
  const url = absoluteUrl(path, publicUrls);
  return renderDocument(
    <Layout
      title={`${title} · Trust Directory`}
      canonical={url}
      openGraph={{ url, description }}
      current="docs"
      style={DOCS_STYLE_PATH}
      unlisted={query !== undefined}
    >
      <DocsLayout reference={reference} current={path} query={query ?? ''}>
        {content}
      </DocsLayout>
    </Layout>,
  );
}

/** Renders the HTML document of the guide. */
export function guideDocument(
  reference: Reference,
  names: NameReplacements,
  publicUrls: PublicUrls,
  installLine: string | null,
): string {
  const title = 'Documentation';
  const description =
    'How to get a first score: keys, a first call, errors, retries, prices, the SDK and the mock.';
  const samples = guideSamples(siteOrigin(publicUrls), names);
  return toPage(
    { reference, publicUrls, path: '/docs', title, description },
    <GuideView reference={reference} samples={samples} installLine={installLine} />,
  );
}

/** Renders the HTML document of one endpoint. */
export function endpointDocument(
  reference: Reference,
  operationId: string,
  names: NameReplacements,
  publicUrls: PublicUrls,
): string {
  const endpoint = findEndpoint(reference, operationId);
  const { summary: title } = endpoint;
  const description = splitLead(endpoint.description).lead.replaceAll(/[`*\n]+/g, ' ');
  const samples = codeSamples(endpoint, siteOrigin(publicUrls), names);
  return toPage(
    { reference, publicUrls, path: endpointPath(operationId), title, description },
    <EndpointView endpoint={endpoint} samples={samples} />,
  );
}

/** Renders the HTML document of all error codes. */
export function errorsDocument(reference: Reference, publicUrls: PublicUrls): string {
  const description = 'Every error code of the Trust Directory: what it means, and what to do about it.';
  return toPage(
    { reference, publicUrls, path: '/docs/errors', title: 'Error codes', description },
    <ErrorsView reference={reference} />,
  );
}

/** Renders the HTML document of a search in the documentation. */
export function searchDocument(
  reference: Reference,
  query: string,
  found: readonly SearchEntry[],
  publicUrls: PublicUrls,
): string {
  const title = `${query} · Documentation`;
  return toPage(
    { reference, publicUrls, path: '/docs', title, description: 'A search of the documentation.', query },
    <SearchView query={query} found={found} />,
  );
}

/** Shows the results of a search in the documentation. */
function SearchView({ query, found }: { query: string; found: readonly SearchEntry[] }) {
  return (
    <>
      <h1>Search the documentation</h1>
      <p class="lead muted" role="status">
        {found.length === 0
          ? `No page contains all words of “${query}”. Try one word, such as “retry” or “limit”.`
          : `${found.length} ${found.length === 1 ? 'place' : 'places'} for “${query}”`}
      </p>
      <ul class="found">
        {found.map(({ kind, title, about, path }) => (
          <li key={path}>
            <a href={path}>{title}</a> <span class="chip tag">{kind}</span>
            {about !== '' && <span class="note">{about.replaceAll('`', '')}</span>}
          </li>
        ))}
      </ul>
      <p>
        <a href="/docs">Back to the guide</a>
      </p>
    </>
  );
}

/** Renders the page of all error codes, with their meaning and what to do. */
function ErrorsView({ reference: { errors } }: { reference: Reference }) {
  return (
    <>
      <h1>Every error code</h1>
      <p class="lead muted">
        Programs should check the code. Show the sentence to people; its wording may change.
      </p>
      <p>
        Under <code>/api/svc/</code> the code is <code>code</code> and the sentence <code>error</code>.
        Everywhere else the code is <code>error</code> and the sentence <code>message</code>.
      </p>
      <div class="scroll">
        <table class="params">
          <thead>
            <tr>
              <th scope="col">Code</th>
              <th scope="col">What it means</th>
              <th scope="col">What to do</th>
            </tr>
          </thead>
          <tbody>
            {errors.map(({ code, means, next, statuses }) => (
              <tr key={code} id={code}>
                <th scope="row">
                  <a class="anchor" href={`#${code}`}>
                    <code>{code}</code>
                  </a>
                  {statuses.length > 0 && <span class="note">{statuses.join(', ')}</span>}
                </th>
                <td>
                  <MarkdownLine text={means} />
                </td>
                <td>
                  <MarkdownLine text={next} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </>
  );
}
