import { agentVerdict } from '../../../directory/agents/agent-record.ts';
import type { ListedAgent } from '../../../directory/lists/link-agents.ts';
import { ForeignText } from '../../components/formatting.tsx';
import { VerdictMark } from '../../components/score-figures.tsx';

/** Maximum number of compared subjects. */
export const MAX_COMPARED = 4;

/** Query parameters for the subjects, in column order. */
export const SUBJECT_PARAMETERS = ['a', 'b', 'c', 'd'].slice(0, MAX_COMPARED);

/** Query parameter of the check boxes in lists. The query contains it once for each ticked box. */
export const PICK_PARAMETER = 'pick';

const MAX_NAME_LENGTH = 300;

/** Returns the names to compare from the URL's query, in order, without empty and repeated ones. */
export function parseNames(query: Readonly<Record<string, unknown>>): string[] {
  const names = [...SUBJECT_PARAMETERS, PICK_PARAMETER]
    .flatMap((field) => query[field] ?? [])
    .filter((value) => typeof value === 'string')
    .map((value) => value.trim().slice(0, MAX_NAME_LENGTH))
    .filter((value) => value !== '');
  return [...new Set(names)];
}

/** Returns the path and query of the page that compares these names. */
export function compareHref(names: readonly string[]): string {
  const query = new URLSearchParams(
    names.map((name, place) => [SUBJECT_PARAMETERS[place] ?? PICK_PARAMETER, name]),
  );
  return query.size === 0 ? '/compare' : `/compare?${query}`;
}

interface SimilarSectionProps {
  /** `AGT-` id of the page's listing. Null on the page of an artifact, where the section links to no comparison. */
  agentId: string | null;
  similar: readonly ListedAgent[];
}

/** Shows similar listings. On the page of a listing, each has a link that compares it with that listing. */
export function SimilarSection({ agentId, similar }: SimilarSectionProps) {
  if (similar.length === 0) return null;
  const first = similar.slice(0, 3).map(({ record }) => record.agentId);
  const together = agentId === null ? [] : [agentId, ...first];
  return (
    <section class="card" aria-labelledby="similar">
      <h2 id="similar">Similar</h2>
      <ul class="tree">
        {similar.map(({ record, path }) => (
          <li key={record.agentId}>
            <Verdict record={record} />
            <a href={path}>
              <ForeignText>{record.name}</ForeignText>
            </a>
            <span class="note">
              {record.type}, {record.category}
              {agentId !== null && (
                <>
                  {' '}
                  ·{' '}
                  <a href={compareHref([agentId, record.agentId])}>
                    compare<span class="hidden"> with {record.name}</span>
                  </a>
                </>
              )}
            </span>
          </li>
        ))}
      </ul>
      {together.length > 2 && (
        <p>
          <a href={compareHref(together)}>Compare the first {together.length - 1} with this</a>
        </p>
      )}
    </section>
  );
}

function Verdict({ record }: Pick<ListedAgent, 'record'>) {
  const verdict = agentVerdict(record);
  return verdict && <VerdictMark state={verdict.state} iconOnly={true} />;
}
