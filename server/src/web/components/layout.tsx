import type { ComponentChildren, VNode } from 'preact';
import { SCRIPT_PATH, STYLE_PATH } from './assets.ts';
import { renderMarkup } from './send-html.ts';

interface LayoutProps {
  title: string;
  /** Canonical URL of the page; absent on pages without one. */
  canonical?: string;
  /** Search text, shown in the header's field. */
  search?: string;
  /** Query parameters that remain in the URL when the visitor searches from the header. */
  searchWith?: readonly (readonly [name: string, value: string])[];
  /** Current entry of the header. */
  current?: 'browse' | 'compare' | 'docs' | 'pricing' | 'console' | 'sign-in';
  /** Open Graph metadata of the page. */
  openGraph?: OpenGraph;
  /** Excludes the page from search engines, for example a filtered list, a failure or a private page. */
  unlisted?: boolean;
  /** Path of the style sheet, if not the common one. */
  style?: string;
  /** Omits the header's search field, because the page has its own. */
  hasOwnSearch?: boolean;
  children: ComponentChildren;
}

/**
 * Renders the HTML document with header and footer that all pages share. It has no inline scripts or styles, because
 * the content security policy forbids them.
 */
export function Layout(props: LayoutProps) {
  const { title, canonical, search = '', current, openGraph: shared, unlisted, children } = props;
  const { style = STYLE_PATH } = props;
  return (
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>{title}</title>
        {canonical && <link rel="canonical" href={canonical} />}
        {unlisted && <meta name="robots" content="noindex" />}
        {shared && <OpenGraphTags title={title} page={shared} />}
        <link rel="stylesheet" href={style} />
        <script src={SCRIPT_PATH} defer></script>
      </head>
      <body>
        <a class="skip" href="#content">
          Skip to content
        </a>
        <Header search={props.hasOwnSearch ? null : search} kept={props.searchWith ?? []} current={current} />
        <main class="wrap" id="content">
          {children}
        </main>
        <Footer />
      </body>
    </html>
  );
}

const ENTRIES = [
  ['browse', '/agents', 'Browse'],
  ['compare', '/compare', 'Compare'],
  ['docs', '/docs', 'Docs'],
  ['pricing', '/pricing', 'Pricing'],
  ['console', '/console', 'Console'],
] as const;

interface HeaderProps {
  search: string | null;
  kept: NonNullable<LayoutProps['searchWith']>;
  current: LayoutProps['current'];
}

function Header({ search, kept, current }: HeaderProps) {
  return (
    <header class="bar">
      <div class="wrap">
        <a class="brand" href="/">
          Trust Directory
        </a>
        {search !== null && (
          <search>
            <form action="/agents" method="get">
              <input
                type="search"
                name="q"
                value={search}
                maxLength={200}
                data-suggest
                aria-label="Search agents, skills and creators"
                placeholder="Name, owner/repository, address or id"
              />
              {kept.map(([name, value]) => (
                <input key={name} type="hidden" name={name} value={value} />
              ))}
            </form>
          </search>
        )}
        <nav aria-label="Site">
          {ENTRIES.map(([name, path, text]) => (
            <a key={name} href={path} aria-current={current === name ? 'page' : undefined}>
              {text}
            </a>
          ))}
        </nav>
      </div>
    </header>
  );
}

function Footer() {
  return (
    <footer class="foot">
      <div class="wrap">
        <p>
          Trust says what the evidence supports, confidence how much evidence there is. Neither is an
          endorsement.
        </p>
        <nav aria-label="More">
          <a href="/method">How scores are made</a>
          <a href="/compare">Compare</a>
          <a href="/docs">Documentation</a>
          <a href="/pricing">Pricing</a>
          <a href="/openapi.yaml">OpenAPI document</a>
        </nav>
      </div>
    </footer>
  );
}

/** Column title, optionally with a CSS class: `n` for numbers, `wide-only` for columns hidden on phones. */
type Column = string | readonly [name: string, kind: string];

export function TableHead({ of }: { of: readonly Column[] }) {
  return (
    <thead>
      <tr>
        {of.map((column) => {
          const [name, kind] = typeof column === 'string' ? [column] : column;
          return (
            <th key={name} scope="col" class={kind}>
              {name}
            </th>
          );
        })}
      </tr>
    </thead>
  );
}

/** Renders a page as an HTML document. The renderer escapes all texts. */
export function renderDocument(page: VNode): string {
  return `<!doctype html>${renderMarkup(page)}`;
}

/** Open Graph metadata of a page. URLs are absolute. */
interface OpenGraph {
  url: string;
  description: string;
  /** Picture of the subject's score; absent on pages without a score. */
  image?: { url: string; alt: string };
}

/** Renders Open Graph tags, and the description for search engines. */
function OpenGraphTags({ title, page }: { title: string; page: OpenGraph }) {
  const { url, description, image } = page;
  return (
    <>
      <meta name="description" content={description} />
      <meta property="og:site_name" content="Trust Directory" />
      <meta property="og:type" content="website" />
      <meta property="og:title" content={title} />
      <meta property="og:description" content={description} />
      <meta property="og:url" content={url} />
      {image && (
        <>
          <meta property="og:image" content={image.url} />
          <meta property="og:image:alt" content={image.alt} />
          <meta property="og:image:width" content="1200" />
          <meta property="og:image:height" content="630" />
          <meta name="twitter:card" content="summary_large_image" />
        </>
      )}
    </>
  );
}
