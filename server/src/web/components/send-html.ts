import type { FastifyInstance, FastifyReply } from 'fastify';
import type { VNode } from 'preact';
import { renderToString } from 'preact-render-to-string';
import { DomainError } from '../../platform/errors/domain-error.ts';

/**
 * Content security policy that forbids inline scripts, foreign origins and frames, so that injected markup cannot run
 * scripts or load anything from other sites.
 */
const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "object-src 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** Security headers of every page. */
export const PAGE_HEADERS = {
  'Content-Security-Policy': CONTENT_SECURITY_POLICY,
  'Referrer-Policy': 'strict-origin-when-cross-origin',
  'Cross-Origin-Opener-Policy': 'same-origin',
} as const;

/** Headers of private pages: no referrer to other sites, no caching, no indexing. */
const PRIVATE_HEADERS = {
  'Referrer-Policy': 'same-origin',
  'Cache-Control': 'no-store',
  'X-Robots-Tag': 'noindex',
};

/**
 * Adds `PAGE_HEADERS`, and with `isPrivate` also `PRIVATE_HEADERS`, to every response of the routes under `app`. A
 * header that a response already has stays. Uses the hook onSend, because a request may be rejected before other hooks
 * run.
 */
export function securePages(app: FastifyInstance, options: { isPrivate?: boolean } = {}): void {
  const headers = Object.entries({ ...PAGE_HEADERS, ...(options.isPrivate && PRIVATE_HEADERS) });
  app.addHook('onSend', (_request, reply, _payload, done) => {
    for (const [name, value] of headers) if (!reply.hasHeader(name)) reply.header(name, value);
    done();
  });
}

/** Matches characters that XML forbids: most control characters and two noncharacters. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const FORBIDDEN_IN_XML = /[\0-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]/g;

/**
 * Renders markup to text that is also well-formed XML; all pages and pictures use it. The renderer escapes `<`, `&` and
 * `"`. This function also replaces what XML parsers reject: `]]>`, lone surrogates and forbidden characters.
 */
export function renderMarkup(node: VNode): string {
  const markup = renderToString(node).toWellFormed();
  return markup.replace(FORBIDDEN_IN_XML, '\ufffd').replaceAll(']]>', ']]&gt;');
}

/** Media type of every page. */
export const HTML = 'text/html; charset=utf-8';

export function sendHtml(reply: FastifyReply, document: string | Buffer): FastifyReply {
  return reply.type(HTML).send(document);
}

/**
 * Returns a function that computes a value on its first call and returns this value from then on. Used for pages that
 * are the same for all visitors, so that the start of the server does not wait until they are rendered.
 */
export function once<Made>(make: () => Made): () => Made {
  let made: { value: Made } | null = null;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}

/** Accepts only form bodies on the routes under `app`, and parses them as URLSearchParams. */
export function acceptForms(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string' },
    (_request, body, done) => done(null, new URLSearchParams(body.toString())),
  );
  app.addContentTypeParser('*', (_request, _payload, done) =>
    done(new DomainError('unsupported_media_type', 'This address takes the form of its own page.')),
  );
}
