import type { ComponentChildren } from 'preact';
import { endpointPath, type Reference } from './reference.ts';

/** Chapters of the guide, as pairs of anchor on `/docs` and title. */
export const CHAPTERS = [
  ['what', 'What it is'],
  ['key', 'Keys and scopes'],
  ['first-call', 'First call'],
  ['retries', 'Retries and receipts'],
  ['errors', 'Errors'],
  ['prices', 'Prices'],
  ['sdk', 'SDK and command line'],
  ['mock', 'Mock'],
  ['endpoints', 'All endpoints'],
] as const;

interface DocsFrameProps {
  reference: Reference;
  /** Path of the current page. */
  current: string;
  query?: string;
  children: ComponentChildren;
}

/** Shows a page of the documentation beside the list of all pages; on narrow screens the list follows the page. */
export function DocsLayout({ reference, current, query = '', children }: DocsFrameProps) {
  return (
    <div class="docs">
      <article>
        <p class="small-only">
          <a href="#docs-pages">All pages of the documentation</a>
        </p>
        {children}
      </article>
      <div class="side" id="docs-pages">
        <search>
          <form action="/docs" method="get">
            <input
              type="search"
              name="q"
              value={query}
              maxLength={100}
              aria-label="Search the documentation"
              placeholder="Search the docs"
              data-filters="docs-list"
            />
          </form>
        </search>
        <nav id="docs-list" aria-label="Documentation">
          <Group
            name="Guide"
            pages={CHAPTERS.map(([id, title]) => [`/docs#${id}`, title])}
            current={current}
          />
          <Group name="Errors" pages={[['/docs/errors', 'Every error code']]} current={current} />
          {reference.groups.map(({ name, endpoints }) => (
            <Group
              key={name}
              name={name}
              pages={endpoints.map(({ operationId, summary }) => [endpointPath(operationId), summary])}
              current={current}
            />
          ))}
        </nav>
      </div>
    </div>
  );
}

interface GroupProps {
  name: string;
  pages: readonly (readonly [path: string, title: string])[];
  current: string;
}

function Group({ name, pages, current }: GroupProps) {
  return (
    <section>
      <h2>{name}</h2>
      <ul>
        {pages.map(([path, title]) => (
          <li key={path}>
            <a href={path} aria-current={path === current ? 'page' : undefined}>
              {title}
            </a>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** Shows a heading that links to itself. */
export function AnchoredHeading({ id, children }: { id: string; children: ComponentChildren }) {
  return (
    <h2 id={id}>
      <a class="anchor" href={`#${id}`}>
        {children}
      </a>
    </h2>
  );
}
