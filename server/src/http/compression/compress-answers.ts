import { brotliCompressSync, gzipSync } from 'node:zlib';
import compress from '@fastify/compress';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { COMPRESSED_FROM_BYTES, mayBeCompressed } from './may-be-compressed.ts';

/** Beside what the plugin knows by name. */
const TEXTS = /^text\/|[+/](json|xml|yaml)(;|$)/;
/** What a content comes to, by the names that the plugin looks for. */
type Form = (source: Buffer, options: object) => Buffer;
interface Forms {
  readonly brotliCompressSync: Form;
  readonly gzipSync: Form;
}
const FORMS: Forms = { brotliCompressSync, gzipSync };

/**
 * Compresses answers for those who take that, brotli before gzip. A Buffer that is sent again and again (kept answers, the
 * contract, assets) is compressed once: its forms live as long as itself. Weak tags hold for every form of an answer, so a
 * 304 needs no body. Register after the hooks that keep answers and tag them, and before any route.
 */
export async function compressAnswers(app: FastifyInstance, forms: Forms = FORMS): Promise<void> {
  app.addHook('onRoute', (route) => {
    if (!mayBeCompressed(String(route.method), route.config)) route.compress = false;
    else if (!route.config?.public) route.onRequest = [route.onRequest ?? [], spareSessions].flat();
  });
  await app.register(compress, {
    globalCompression: true,
    globalDecompression: false,
    encodings: ['br', 'gzip'],
    threshold: COMPRESSED_FROM_BYTES,
    customTypes: TEXTS,
    // Nothing is too long: most contents come here once, and the largest, the contract, takes milliseconds.
    syncThreshold: Number.POSITIVE_INFINITY,
    zlib: {
      brotliCompressSync: once(forms.brotliCompressSync),
      gzipSync: once(forms.gzipSync),
    },
  });
}

/** A browser sends a session with whatever a foreign page makes it ask for, but never a key. */
function spareSessions(request: FastifyRequest, _reply: FastifyReply, done: () => void): void {
  if (request.headers.authorization === undefined) request.headers['x-no-compression'] = 'session';
  done();
}

/** Remembers what a Buffer comes to for as long as the Buffer itself is held. */
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
