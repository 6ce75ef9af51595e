import type { FastifyRequest } from 'fastify';

/** Whether a request asks for pages by name, as browsers do. Programs ask for JSON, or for anything. */
export function readsPages({ headers }: Pick<FastifyRequest, 'headers'>): boolean {
  const wanted = (headers.accept ?? '').split(',').map((each) => each.split(';').map((part) => part.trim()));
  return wanted.some(
    ([type, ...details]) =>
      type?.toLowerCase() === 'text/html' && !details.some((detail) => /^q=0(\.0*)?$/i.test(detail)),
  );
}
