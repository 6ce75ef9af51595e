import { brotliCompressSync, gzipSync } from 'node:zlib';
import compress from '@fastify/compress';
import type { FastifyContextConfig, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

/** Minimum size in bytes of a response that is compressed. Compressing a smaller one would save no packet. */
const MIN_COMPRESSED_BYTES = 1_024;

/** Vary header of responses that may be compressed. */
export const VARY_COMPRESSED = 'Origin, accept-encoding';

/**
 * Returns true if responses of a route may be compressed. If a secret and text from the request are in one compressed
 * body, the body's size reveals the secret letter by letter (BREACH). Only GET routes qualify, because responses to
 * POST repeat the request. They must be public or accept access keys, which browsers do not attach by themselves. This
 * excludes the console, sign-in, and pages that show a key.
 */
export function isCompressible(method: string, config: FastifyContextConfig | undefined): boolean {
  if (method !== 'GET' || config === undefined) return false;
  return config.public === true || config.schemes?.includes('accessKey') === true;
}

/** Content types to compress in addition to the plugin's own. */
const TEXTS = /^text\/|[+/](json|xml|yaml)(;|$)/;
/** Function that compresses a Buffer. `Forms` has one for each format, under the names that the plugin expects. */
type Form = (source: Buffer, options: object) => Buffer;
interface Forms {
  readonly brotliCompressSync: Form;
  readonly gzipSync: Form;
}
const FORMS: Forms = { brotliCompressSync, gzipSync };

/**
 * Compresses responses with brotli or gzip. A Buffer that is sent repeatedly (cached responses, the contract, assets)
 * is compressed once, and the result lives as long as the Buffer. ETags are weak, so they hold for all encodings and a
 * 304 needs no body. Register after the hooks that cache and tag responses, and before routes. Without the cache of
 * compressed Buffers, `compress-responses.db.test.ts` fails.
 */
export async function compressResponses(app: FastifyInstance, forms: Forms = FORMS): Promise<void> {
  app.addHook('onRoute', (route) => {
    if (!isCompressible(String(route.method), route.config)) route.compress = false;
    else if (!route.config?.public) route.onRequest = [route.onRequest ?? [], spareSessions].flat();
  });
  await app.register(compress, {
    globalCompression: true,
    globalDecompression: false,
    encodings: ['br', 'gzip'],
    threshold: MIN_COMPRESSED_BYTES,
    customTypes: TEXTS,
    // Compress synchronously, regardless of size. Most contents are compressed once, and the largest, the contract,
    // takes milliseconds.
    syncThreshold: Number.POSITIVE_INFINITY,
    zlib: {
      brotliCompressSync: once(forms.brotliCompressSync),
      gzipSync: once(forms.gzipSync),
    },
  });
}

/**
 * Disables compression (see BREACH above) for requests without an Authorization header. Such requests may be
 * authenticated by the session cookie. A foreign page can make a browser send the cookie, but not a key.
 */
function spareSessions(request: FastifyRequest, _reply: FastifyReply, done: () => void): void {
  if (request.headers.authorization === undefined) request.headers['x-no-compression'] = 'session';
  done();
}

/** Memoizes the result per Buffer, for as long as the Buffer exists. */
function once(form: Form): Form {
  const known = new WeakMap<Buffer, Buffer>();
  return (source, options) => {
    const kept = known.get(source);
    if (kept) return kept;
    const made = form(source, options);
    known.set(source, made);
    return made;
  };
}
