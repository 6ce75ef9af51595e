import { loadSampleSubjects, sampleOf } from '../../directory/sample-subjects.ts';
import type { Operation } from '../../plans/plans.ts';
import { FRESH_KEY } from '../../ui/fresh-key.ts';
import type { ConsoleParts } from '../console-parts.ts';

/** What a call asks for. */
export interface FirstAsked {
  operation: Operation;
  subject: string;
}

/** Something real to ask about first; an empty directory has a placeholder. */
export async function loadFirstAsked({
  database,
  naming,
}: Pick<ConsoleParts, 'database' | 'naming'>): Promise<FirstAsked> {
  const samples = await loadSampleSubjects(database, naming);
  for (const operation of ['agent_score', 'skill_score'] as const) {
    const subject = sampleOf(operation, samples);
    if (subject !== null) return { operation, subject };
  }
  return { operation: 'agent_score', subject: 'owner/repository' };
}

/** Writes a metered call for a shell, with a fresh idempotency key; `authorization` is its header, quoted. */
export function firstCall(site: string, authorization: string, { operation, subject }: FirstAsked): string {
  // A single quote would end the shell's text.
  const text = (value: string) => JSON.stringify(value).replaceAll("'", '\\u0027');
  return [
    `curl ${site}/api/svc/operations/run \\`,
    `  -H ${authorization} \\`,
    `  -H 'Content-Type: application/json' \\`,
    "  -d '{",
    `    "operation": ${text(operation)},`,
    `    "subject": ${text(subject)},`,
    `    "idempotency_key": "${FRESH_KEY}"`,
    "  }'",
  ].join('\n');
}
