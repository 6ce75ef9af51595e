import { ApiError, ConfigurationError, TrustDirectory } from '@trust-directory/sdk';

/** Configuration that the platform passes to the worker. */
interface Environment {
  TRUST_DIRECTORY_URL: string;
}

/** Seconds that browsers and the platform's cache may keep an answer. */
const FRESH_S = 300;

/**
 * An edge worker (Cloudflare Workers and alike): answers `/?subject=owner/repository` with that subject's score as JSON, for pages
 * that shouldn't call the directory themselves. A stranger gets only what anyone may read; there is no key in it.
 */
export default {
  async fetch(request: Request, { TRUST_DIRECTORY_URL }: Environment): Promise<Response> {
    const subject = new URL(request.url).searchParams.get('subject') ?? '';
    const client = new TrustDirectory({ baseUrl: TRUST_DIRECTORY_URL, apiKey: null, timeoutMs: 5_000 });
    try {
      const { name, trustScore, confidence, tier } = await client.subjects.lookup(
        subject,
        {},
        { signal: request.signal },
      );
      const headers = { 'Cache-Control': `public, max-age=${FRESH_S}` };
      return Response.json({ name, trustScore, confidence, tier }, { headers });
    } catch (error) {
      // A missing subject is refused before anything is sent.
      const refused = error instanceof ConfigurationError ? 400 : 502;
      const status = error instanceof ApiError ? error.status : refused;
      return Response.json({ error: 'no score' }, { status });
    }
  },
};
