import type { FastifyInstance } from 'fastify';

/** A page that the browser shows. */
export interface Shown {
  url: string;
  status: number;
  headers: Headers;
  body: string;
}

/**
 * Simulates a browser for signing in: stores cookies by site, follows redirects with GET, and sends the origin of
 * requests. Requests to our site go to an app that is not listening; all others are real.
 */
export class SignInBrowser {
  readonly cookies = new Map<string, Map<string, string>>();
  /** Visited URLs, in order. */
  readonly visited: string[] = [];
  /** App that serves our site; can be replaced at any time. */
  app: FastifyInstance;
  /** Redirects to matching URLs are not followed. */
  stopsBefore: ((url: URL) => boolean) | undefined;
  readonly #site: string;

  constructor(app: FastifyInstance, site: string) {
    this.app = app;
    this.#site = site;
  }

  /** Opens a URL, as a link on `from` would, and follows redirects. */
  async open(url: string, options: { from?: string } = {}): Promise<Shown> {
    return this.#go(new URL(url, this.#site), null, options.from ?? 'none');
  }

  /** Submits the first POST form of a page, with some fields filled in. */
  async submit(page: Shown, fields: Record<string, string> = {}): Promise<Shown> {
    const action = /<form[^>]*action="([^"]+)"[^>]* method="post"/.exec(page.body)?.[1] ?? page.url;
    const hidden = [...page.body.matchAll(/<input type="hidden" name="(\w+)" value="([^"]*)"/g)];
    const form = new URLSearchParams(hidden.map(([, name = '', value = '']) => [name, value]));
    for (const [name, value] of Object.entries(fields)) form.set(name, value);
    return this.#go(new URL(action, page.url), form, 'same-origin');
  }

  /** Signs in at the provider's login form under a name and consents; ends at the final page. */
  async signInAt(loginPage: Shown, name: string): Promise<Shown> {
    const consent = await this.submit(loginPage, { login: name, password: 'any' });
    return consent.body.includes('name="prompt" value="consent"') ? this.submit(consent) : consent;
  }

  cookie(name: string): string | undefined {
    return this.cookies.get(this.#site)?.get(name);
  }

  /** Returns the cookies of the pending sign-ins, oldest first. */
  attempts(): { name: string; value: string }[] {
    const own = [...(this.cookies.get(this.#site) ?? [])].map(([name, value]) => ({ name, value }));
    return own.filter(({ name }) => name.startsWith('__Host-sign-in-'));
  }

  async #go(url: URL, form: URLSearchParams | null, from: string): Promise<Shown> {
    const shown = await this.#ask(url, form, from);
    const location = shown.headers.get('location');
    if (location === null || shown.status < 300 || shown.status > 399) return shown;
    const next = new URL(location, url);
    if (this.stopsBefore?.(next)) return shown;
    return this.#go(next, null, next.origin === url.origin ? from : 'cross-site');
  }

  async #ask(url: URL, form: URLSearchParams | null, from: string): Promise<Shown> {
    this.visited.push(url.href);
    const headers: Record<string, string> = {
      ...(form ? { 'content-type': 'application/x-www-form-urlencoded' } : {}),
      'sec-fetch-site': from,
    };
    const jar = this.cookies.get(url.origin) ?? new Map<string, string>();
    this.cookies.set(url.origin, jar);
    if (jar.size > 0) headers.cookie = [...jar].map((pair) => pair.join('=')).join('; ');
    const method = form ? 'POST' : 'GET';
    const shown =
      url.origin === this.#site
        ? await this.#inject(url, method, form, headers)
        : await send(url, method, form, headers);
    for (const line of shown.headers.getSetCookie()) keep(jar, line);
    return shown;
  }

  async #inject(
    url: URL,
    method: 'GET' | 'POST',
    form: URLSearchParams | null,
    headers: Record<string, string>,
  ) {
    const payload = form ? { payload: form.toString() } : {};
    const answer = await this.app.inject({
      method,
      url: `${url.pathname}${url.search}`,
      headers,
      ...payload,
    });
    const received = new Headers();
    for (const [name, value] of Object.entries(answer.headers)) {
      for (const each of [value].flat()) if (each !== undefined) received.append(name, String(each));
    }
    return { url: url.href, status: answer.statusCode, headers: received, body: answer.body };
  }
}

async function send(url: URL, method: string, form: URLSearchParams | null, headers: Record<string, string>) {
  const answer = await fetch(url, { method, headers, redirect: 'manual', ...(form ? { body: form } : {}) });
  return { url: url.href, status: answer.status, headers: answer.headers, body: await answer.text() };
}

/** Ignores paths: cookie names are unique per site. */
function keep(jar: Map<string, string>, line: string): void {
  const [pair = '', ...attributes] = line.split(';');
  const at = pair.indexOf('=');
  const isOver = attributes.some((each) => /^\s*(max-age=0|expires=Thu, 01 Jan 1970.*)$/i.test(each));
  if (isOver) jar.delete(pair.slice(0, at));
  else jar.set(pair.slice(0, at), pair.slice(at + 1));
}
