import type { FastifyInstance } from 'fastify';
import type { SdkPackages } from './sdk-packages.ts';

interface PackageRoute {
  Params: { file: string };
}

/** A version never changes, so no proxy asks again. */
const FOR_EVER = 'public, max-age=31536000, immutable';

/** Counted like the public API. Not kept in memory: it is large, and rarely asked for. */
const COUNTED = { config: { limit: 'public' } } as const;

/** Hands out packages of the SDK for `npm install`. An unknown one is a 404 that names the line for the current one. */
export function registerSdk(pages: FastifyInstance, sdk: SdkPackages): void {
  pages.get<PackageRoute>('/sdk/:file', COUNTED, async ({ params: { file } }, reply) => {
    const bytes = sdk.read(file);
    if (bytes) return reply.header('Cache-Control', FOR_EVER).type('application/gzip').send(bytes);
    const advice = sdk.installLine
      ? `Install the current one:\n\n${sdk.installLine}\n`
      : 'It was built without its SDK: run "npm run build" and start it again.\n';
    reply.code(404).header('Cache-Control', 'no-store').type('text/plain; charset=utf-8');
    return reply.send(`This server has no such package of the SDK. ${advice}`);
  });
}
