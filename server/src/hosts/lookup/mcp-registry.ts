import type { Hosts } from '../create-hosts.ts';
import { HostFailure } from '../host-account.ts';
import { type RateLimit, requestHost } from '../request-host.ts';
import { createAnswerParser, optionalSchema } from '../untrusted-answers.ts';

/** Host of the official MCP registry. */
export const MCP_REGISTRY_HOST = 'registry.modelcontextprotocol.io';

/** One page of the registry's list of servers. The entries are not checked. */
export interface RegistryPage {
  readonly servers: readonly Readonly<Record<string, unknown>>[];
  /** Null on the last page. */
  readonly nextCursor: string | null;
  readonly rateLimit: RateLimit;
}

const PAGE_SIZE = 100;
/** Maximum bytes of a page. An entry takes a few kilobytes, but its texts and icons have no limit. */
const MAX_BYTES = 8 * 1024 * 1024;
const TIMEOUT_MS = 20_000;
const MAX_CURSOR_LENGTH = 1_000;

const readPage = createAnswerParser({
  type: 'object',
  required: ['servers'],
  properties: {
    servers: { type: ['array', 'null'], maxItems: PAGE_SIZE, items: { type: 'object' } },
    metadata: { type: ['object', 'null'], properties: { nextCursor: optionalSchema('string') } },
  },
});

/**
 * Reads a page of `GET /v0.1/servers`: versions of servers that changed since a time, deleted ones too. Rejects with a
 * HostFailure if the registry cannot be read.
 */
export async function readRegistryPage(
  hosts: Hosts,
  { since, cursor, signal }: { since: string; cursor: string | null; signal: AbortSignal },
): Promise<RegistryPage> {
  const endpoint = hosts.endpointOf(MCP_REGISTRY_HOST);
  if (endpoint === null) throw new HostFailure('unreadable', `This server cannot read ${MCP_REGISTRY_HOST}.`);
  const query = new URLSearchParams({
    limit: String(PAGE_SIZE),
    updated_since: since,
    include_deleted: 'true',
    ...(cursor === null ? {} : { cursor }),
  });
  const limits = { maxBytes: MAX_BYTES, timeoutMs: TIMEOUT_MS };
  const { body, rateLimit } = await requestHost(hosts, endpoint, `/v0.1/servers?${query}`, {
    signal,
    ...limits,
  });
  const { servers, metadata } = readPage(body, endpoint.host);
  const next = metadata?.nextCursor || null;
  if (next !== null && next.length > MAX_CURSOR_LENGTH) {
    throw new HostFailure('unusable', `${endpoint.host} gave an undocumented answer.`);
  }
  return {
    servers: (servers ?? []) as Record<string, unknown>[],
    // Ends the list if the next cursor equals the current one; otherwise reading would never end.
    nextCursor: next === cursor ? null : next,
    rateLimit,
  };
}
