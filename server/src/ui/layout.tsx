import type { ComponentChildren } from 'preact';
import { SCRIPT_PATH, STYLE_PATH } from './assets.ts';
import { SharedLink, type SharedPage } from './shared-link.tsx';

interface LayoutProps {
  title: string;
  /** Where the page lives: one address, however it was reached. Absent on pages that are no place of their own. */
  canonical?: string;
  /** What was searched for; the field of the header shows it. */
  search?: string;
  /** What else a search from the header keeps, by name. */
  searchWith?: readonly (readonly [name: string, value: string])[];
  /** Which entry of the header this page is. */
  current?: 'browse' | 'compare' | 'docs' | 'pricing' | 'console' | 'sign-in';
  /** What others show of a link to this page. */
  shared?: SharedPage;
  /** Kept out of search engines: a choice of filters, a failure, a page of one's own. */
  unlisted?: boolean;
  /** Another style sheet of ours in place of the common one. */
  style?: string;
  /** The header's search field is left out where the page itself is a search. */
  hasOwnSearch?: boolean;
  children: ComponentChildren;
}

/** The frame of every page. No inline script or style: the content security policy refuses them. */
export function Layout(props: LayoutProps) {
  const { title, canonical, search = '', current, shared, unlisted, children } = props;
  const { style = STYLE_PATH } = props;
  return (
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>{title}</title>
        {canonical && <link rel="canonical" href={canonical} />}
        {unlisted && <meta name="robots" content="noindex" />}
        {shared && <SharedLink title={title} page={shared} />}
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
