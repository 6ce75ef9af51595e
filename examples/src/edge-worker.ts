import { ApiError, ConfigurationError, TrustDirectory } from '@trust-directory/sdk';

/** Configuration that the platform passes to the worker. */
interface Environment {
  TRUST_DIRECTORY_URL: string;
}

/** Seconds that browsers and the platform's cache may keep an answer. */
const FRESH_S = 300;

/**
 * Answers `/?subject=owner/repository` with the score of that subject as JSON, in an edge worker such as Cloudflare
 * Workers, for pages that should not call the directory themselves. It has no access key, so it returns only public
 * data.
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
      // A ConfigurationError means that the subject is missing; no request was sent.
      const refused = error instanceof ConfigurationError ? 400 : 502;
      const status = error instanceof ApiError ? error.status : refused;
      return Response.json({ error: 'no score' }, { status });
    }
  },
};
