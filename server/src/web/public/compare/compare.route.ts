import type { FastifyInstance } from 'fastify';
import type { PublicUrls } from '../../../catalog/subjects/public-path.ts';
import { type ResolvedSubject, resolveSubject } from '../../../catalog/subjects/resolve-subject.ts';
import { getAgent } from '../../../directory/agents/get-agent.ts';
import type { Connection } from '../../../platform/database/connect.ts';
import { DomainError } from '../../../platform/errors/domain-error.ts';
import type { ShapedRequest } from '../../../platform/http/contract/validation.ts';
import { REPOSITORY_TYPES } from '../../../scoring/subject-type.ts';
import { sendHtml } from '../../components/send-html.ts';
import { type PageDependencies, SUBJECT_ROUTE } from '../frame/page-dependencies.ts';
import { loadScoreDetail } from '../score/score-detail.queries.ts';
import type { ComparedSubject, ComparePage } from './compare.page.tsx';
import { compareDocument } from './compare.page.tsx';
import { MAX_COMPARED, parseNames } from './compare-links.tsx';

/**
 * Registers `/compare?a=…&b=…`, which compares agents and skills. The value of each parameter is any name that resolves
 * to an agent or skill.
 */
export function registerComparePage(pages: FastifyInstance, { publicUrls }: PageDependencies): void {
  pages.get<ShapedRequest>('/compare', SUBJECT_ROUTE, async (request, reply) => {
    const page = await loadComparePage(request.reads, parseNames(request.query), publicUrls);
    return sendHtml(reply, compareDocument(page, publicUrls));
  });
}

/**
 * Loads the subjects with these names for a comparison. A name that does not resolve is returned with its problem; the
 * other names are compared without it.
 */
async function loadComparePage(
  connection: Connection,
  texts: readonly string[],
  publicUrls: PublicUrls,
): Promise<ComparePage> {
  const named = await Promise.all(
    texts.slice(0, MAX_COMPARED).map((text) => resolveName(connection, text, publicUrls)),
  );
  const subjects = named.flatMap(({ subject }) => subject ?? []);
  const columns = new Map<string, ComparedSubject>();
  for (const subject of subjects) {
    if (columns.has(subject.id)) continue;
    const { id, agentId } = subject;
    const record = agentId === null ? null : await getAgent(connection, agentId);
    columns.set(id, { subject, record, score: await loadScoreDetail(connection, id) });
  }
  const asked = named.map(({ text, problem }) => ({ text, problem }));
  return {
    requestedNames: asked,
    columns: [...columns.values()],
    omittedCount: Math.max(0, texts.length - MAX_COMPARED),
  };
}

async function resolveName(
  connection: Connection,
  text: string,
  publicUrls: PublicUrls,
): Promise<{ text: string; subject: ResolvedSubject | null; problem: string | null }> {
  try {
    return {
      text,
      subject: await resolveSubject(connection, REPOSITORY_TYPES, text, publicUrls),
      problem: null,
    };
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    return { text, subject: null, problem: error.message };
  }
}
