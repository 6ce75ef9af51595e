import type { Connection } from '../../database/connect.ts';
import { getAgent } from '../../directory/get-agent.ts';
import { DomainError } from '../../domain-error.ts';
import type { Naming } from '../../subjects/naming.ts';
import { type ResolvedSubject, resolveSubject } from '../../subjects/resolve-subject.ts';
import { REPOSITORY_TYPES } from '../../subjects/subject-type.ts';
import { loadScoreDetail } from '../score/score-detail.repository.ts';
import { type Compared, type ComparePage, MOST_COMPARED } from './compare-page-data.ts';

/** The agents and skills of these names beside each other. A name that leads to nobody says so and spoils no other. */
export async function loadComparePage(
  connection: Connection,
  texts: readonly string[],
  naming: Naming,
): Promise<ComparePage> {
  const named = await Promise.all(
    texts.slice(0, MOST_COMPARED).map((text) => findNamed(connection, text, naming)),
  );
  const subjects = named.flatMap(({ subject }) => subject ?? []);
  const columns = new Map<string, Compared>();
  for (const subject of subjects) {
    if (columns.has(subject.id)) continue;
    const { id, agentId } = subject;
    const record = agentId === null ? null : await getAgent(connection, agentId);
    columns.set(id, { subject, record, score: await loadScoreDetail(connection, id) });
  }
  const asked = named.map(({ text, problem }) => ({ text, problem }));
  return { asked, columns: [...columns.values()], leftOut: Math.max(0, texts.length - MOST_COMPARED) };
}

async function findNamed(
  connection: Connection,
  text: string,
  naming: Naming,
): Promise<{ text: string; subject: ResolvedSubject | null; problem: string | null }> {
  try {
    return { text, subject: await resolveSubject(connection, REPOSITORY_TYPES, text, naming), problem: null };
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    return { text, subject: null, problem: error.message };
  }
}
