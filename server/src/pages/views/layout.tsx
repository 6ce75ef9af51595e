import type { ComponentChildren } from 'preact';

interface LayoutProps {
  title: string;
  /** Where the page lives: one address, however it was reached. Absent on pages that are no place of their own. */
  canonical?: string;
  search?: string;
  children: ComponentChildren;
}

/** The frame of every page. No inline script or style: the content security policy refuses them. */
export function Layout({ title, canonical, search = '', children }: LayoutProps) {
  return (
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>{title}</title>
        {canonical && <link rel="canonical" href={canonical} />}
        <link rel="stylesheet" href="/assets/site.css" />
      </head>
      <body>
        <a class="skip" href="#content">
          Skip to content
        </a>
        <header class="bar">
          <div class="wrap">
            <a class="brand" href="/">
              Trust Directory
            </a>
            <search>
              <form action="/" method="get">
                <input
                  type="search"
                  name="q"
                  value={search}
                  maxLength={200}
                  aria-label="Search agents, skills and creators"
                  placeholder="Search agents, skills, creators"
                />
              </form>
            </search>
            <nav aria-label="Site">
              <a href="/openapi.yaml">API</a>
            </nav>
          </div>
        </header>
        <main class="wrap" id="content">
          {children}
        </main>
      </body>
    </html>
  );
}
