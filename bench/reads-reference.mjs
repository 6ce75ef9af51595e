// Serves the references for public reads, in a separate process: a bare Fastify route that sends the same bytes as the
// measured server, and a hand-written Fastify and pg server that reads the same record with a prepared statement and
// writes the same JSON.
import { createRequire } from 'node:module';
import pg from 'pg';
import { containerReason } from '../server/src/catalog/listings/container-repository.ts';
import { REASONS } from '../server/src/scoring/verdict/reasons.ts';
import { readVerdict } from '../server/src/scoring/verdict/verdict.ts';
import { answerOrders } from './child.mjs';

// Fastify is a dependency of the server's package only.
const Fastify = createRequire(new URL('../server/package.json', import.meta.url))('fastify');

const DETAIL = {
  name: 'detail',
  text: `SELECT l.agent_id, l.type, l.name, l.description, l.category, l.tags, l.kind, l.license, l.repository_url, l.stars::int, l.forks::int,
    l.open_issues::int, l.last_commit_at, coalesce(l.metrics_observed_at, l.updated_at) AS read_at,
    (SELECT count(*)::int FROM artifact part WHERE part.listing_id = l.subject_id) AS parts, l.verified, k.trust, k.confidence, k.tier, utc_text(k.score_version) AS score_version, k.verdict, k.reasons,
    CASE WHEN k.verdict IN ('verified', 'well_evidenced') THEN (
      SELECT jsonb_build_object('percentile', width_bucket(k.trust - 1e-9, q.bounds), 'among', q.among, 'asOf', utc_text(q.counted_at))
      FROM category_standing q WHERE q.type = k.type AND q.category = k.category) END AS standing,
    (EXISTS (SELECT FROM relation n WHERE n.from_listing_id = l.subject_id)
      OR EXISTS (SELECT FROM relation n WHERE n.to_listing_id = l.subject_id)) AS related,
    CASE WHEN l.npm_package IS NOT NULL OR l.pypi_package IS NOT NULL
      THEN (l.npm_package IS NULL OR l.npm_confirmed) AND (l.pypi_package IS NULL OR l.pypi_confirmed)
      END AS package_confirmed,
    l.npm_package, l.npm_confirmed, l.npm_missing, l.pypi_package, l.pypi_confirmed, l.pypi_missing, l.other_packages,
    l.listed_at, l.updated_at, c.handle, c.display_name, c.verified AS creator_verified, r.trust AS creator_trust,
    r.confidence AS creator_confidence
  FROM listing l JOIN listing_rank k ON k.subject_id = l.subject_id JOIN creator c ON c.subject_id = l.creator_id
  LEFT JOIN subject s ON s.id = c.subject_id AND c.verified
  LEFT JOIN score r ON r.subject_id = s.id AND r.version = s.current_version WHERE l.agent_id = $1`,
};

function toPackage(registry, name, isConfirmed, isMissing) {
  const standing = isConfirmed ? 'confirmed' : isMissing ? 'missing' : 'named';
  return name === null ? [] : [{ registry, name, standing }];
}

function toAgent(row) {
  const known =
    row.stars !== null || row.forks !== null || row.open_issues !== null || row.last_commit_at !== null;
  return {
    id: row.agent_id,
    type: row.type,
    name: row.name,
    description: row.description,
    category: row.category,
    tags: row.tags,
    kind: row.kind,
    license: row.license,
    packageConfirmed: row.package_confirmed,
    container: toContainer(row),
    packages: [
      ...toPackage('npm', row.npm_package, row.npm_confirmed, row.npm_missing),
      ...toPackage('pypi', row.pypi_package, row.pypi_confirmed, row.pypi_missing),
      ...row.other_packages.flatMap((each) => toPackage(each.registry, each.name, each.isConfirmed, false)),
    ],
    creator: {
      handle: row.handle,
      displayName: row.display_name ?? row.handle,
      verified: row.creator_verified,
      trustScore: row.creator_verified ? row.creator_trust : null,
      confidence: row.creator_verified ? row.creator_confidence : null,
    },
    repoHost: known
      ? {
          url: row.repository_url,
          stars: row.stars ?? undefined,
          forks: row.forks ?? undefined,
          openIssues: row.open_issues ?? undefined,
          lastCommit: row.last_commit_at?.toISOString(),
        }
      : null,
    repositoryUrl: row.repository_url,
    verified: row.verified,
    trustScore: row.trust,
    confidence: row.confidence,
    tier: row.tier,
    scoreVersion: row.score_version,
    verdict: row.verdict === null ? null : toVerdict(row),
    standing: row.standing && { category: row.category, type: row.type, ...row.standing },
    // Few listings are superseded. The compared listing has no relations, so the server runs no further statement for it.
    supersededBy: row.related ? 'another statement' : null,
    listedAt: row.listed_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
  };
}

function toContainer({ repository_url: repository, kind, description, parts }) {
  const because = containerReason({ repository, kind, description, parts });
  return because && { parts, because };
}

/** Converts stored verdict codes to the server's texts. */
function toVerdict(row) {
  const lastCommit = { at: row.last_commit_at, readAt: row.read_at };
  const { state, sentence, reasons } = readVerdict(row.verdict, row.reasons ?? [], lastCommit);
  return { state, sentence, reasons: reasons.map((code) => ({ code, text: REASONS[code].phrase })) };
}

/** Serves the given answers under /bare and /bare-of, and agents read by the hand-written statement under /by-hand. */
async function serve({ databaseUrl, details, answers, sessions }) {
  const pool = new pg.Pool({ connectionString: databaseUrl, max: sessions });
  const app = Fastify();
  for (const { path, type, body } of answers)
    app.get(`/bare${path}`, async (_request, reply) => reply.type(type).send(body));
  app.get('/bare-of/:id', async (request, reply) =>
    reply.type('application/json; charset=utf-8').send(details[request.params.id]),
  );
  app.get('/by-hand/:id', async (request, reply) => {
    const { rows } = await pool.query({ ...DETAIL, values: [request.params.id] });
    reply.type('application/json; charset=utf-8');
    return JSON.stringify(toAgent(rows[0]));
  });
  return { origin: await app.listen({ host: '127.0.0.1', port: 0 }) };
}

answerOrders(serve);
