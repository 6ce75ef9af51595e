import { json, NOT_FOUND, type StandInAnswer } from './stand-in-answer.ts';
import type { StandInWorld } from './stand-in-host-world.ts';

/** Entry of the MCP registry, with the members by which the stand-in filters and orders. */
interface Entry {
  server: { name: string; version: string };
  _meta: { 'io.modelcontextprotocol.registry/official': { status: string; updatedAt: string } };
}

const OFFICIAL = 'io.modelcontextprotocol.registry/official';

/**
 * Answers for the MCP registry, for results of OpenSSF Scorecard, for OSV's bucket and for a domain, as the published
 * schemas say.
 */
export function catalogueAnswer(world: StandInWorld, api: string, url: URL): StandInAnswer | null {
  if (api === 'mcp_registry') return serversAnswer(world, url);
  if (api === 'web') {
    const body = world.webFiles[url.pathname.slice('/web'.length)];
    return body === undefined ? { status: 404, body: '<html>' } : { status: 200, body };
  }
  if (api === 'osv') return bucketAnswer(world, url);
  return api === 'scorecard' ? scorecardAnswer(world, url) : null;
}

/** Lists versions in the order of name and version, which is also the cursor. Deleted ones are shown only if asked. */
function serversAnswer(world: StandInWorld, url: URL): StandInAnswer {
  if (url.pathname !== '/mcp_registry/v0.1/servers') return NOT_FOUND;
  const { searchParams: query } = url;
  const since = Date.parse(query.get('updated_since') ?? '1970-01-01T00:00:00Z');
  const limit = Math.min(Number(query.get('limit') ?? 30), world.registryPageSize);
  const cursor = query.get('cursor');
  const key = ({ server: { name, version } }: Entry) => `${name}:${version}`;
  const shown = (world.servers as unknown as Entry[])
    .filter(({ _meta }) => Date.parse(_meta[OFFICIAL].updatedAt) >= since)
    .filter(({ _meta }) => _meta[OFFICIAL].status !== 'deleted' || query.get('include_deleted') === 'true')
    .sort((one, other) => (key(one) < key(other) ? -1 : 1))
    .filter((entry) => cursor === null || key(entry) > cursor);
  const servers = shown.slice(0, limit);
  const last = servers.at(-1);
  const nextCursor = shown.length > limit && last ? key(last) : undefined;
  return json({ servers, metadata: { count: servers.length, ...(nextCursor ? { nextCursor } : {}) } });
}

/** Answers with a result; an unknown repository is a 404 without a body. */
function scorecardAnswer({ scorecards }: StandInWorld, url: URL): StandInAnswer {
  const [, , , ...parts] = url.pathname.split('/').map(decodeURIComponent);
  const found = scorecards[parts.join('/')];
  if (url.pathname.split('/')[2] !== 'projects' || found === undefined) return { status: 404, body: '' };
  return json({
    date: found.date,
    repo: { name: found.name ?? parts.join('/'), commit: 'a'.repeat(40) },
    scorecard: { version: 'v5.0.0', commit: 'b'.repeat(40) },
    score: found.score,
    checks: [{ name: 'Maintained', score: 10, reason: 'commits', details: null }],
  });
}

/** Answers with a record, or with the index of an ecosystem, newest change first. */
function bucketAnswer({ osv, osvFiles }: StandInWorld, url: URL): StandInAnswer {
  const path = decodeURIComponent(url.pathname.slice('/osv/'.length));
  const [ecosystem = '', file = ''] = path.split('/');
  const records = osv[ecosystem];
  const missing = {
    status: 404,
    body: "<?xml version='1.0' encoding='UTF-8'?><Error><Code>NoSuchKey</Code></Error>",
  };
  const replaced = osvFiles[path];
  if (replaced !== undefined) return replaced === null ? missing : { status: 200, body: replaced };
  if (file === 'modified_id.csv' && records !== undefined) {
    const lines = records.map(({ id, modified }) => `${modified},${id}\n`);
    return { status: 200, body: lines.sort().reverse().join('') };
  }
  const found = records?.find(({ id }) => `${id}.json` === file);
  return found === undefined ? missing : json(found);
}
