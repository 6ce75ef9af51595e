import type { Candidate } from '../domain-error.ts';
import { Foreign } from './text.tsx';

interface ProblemViewProps {
  title: string;
  text: string;
  candidates?: readonly Candidate[];
  /** What to look for instead: the words of the address that led nowhere. */
  search?: string | null;
  /** The address is one of a subject that might be listed, not of any page. */
  isOfSubject?: boolean;
}

/** What is shown in place of a page, with what to do next. */
export function ProblemView({
  title,
  text,
  candidates = [],
  search = null,
  isOfSubject = true,
}: ProblemViewProps) {
  return (
    <>
      <h1>{title}</h1>
      <p class="lead">{text}</p>
      {candidates.length > 0 && (
        <ul class="rows">
          {candidates.map((candidate) => (
            <li key={candidate.canonical_id}>
              <div>
                <a href={candidate.public_path}>
                  <Foreign>{candidate.name}</Foreign>
                </a>{' '}
                <span class="muted small">
                  {candidate.type.replace('_', ' ')} <Foreign>{candidate.repository}</Foreign>
                </span>
              </div>
            </li>
          ))}
        </ul>
      )}
      {search !== null && (
        <>
          <search>
            <form class="finder" action="/agents" method="get">
              <input
                type="search"
                name="q"
                value={search}
                maxLength={200}
                aria-label="Search agents, skills and creators"
              />
              <button type="submit" class="primary">
                Search
              </button>
            </form>
          </search>
          {isOfSubject && (
            <p>
              Searching does not create a listing. If you made it, you can register it:{' '}
              <a href="/docs/registerAgent">how to register an agent or skill</a>.
            </p>
          )}
        </>
      )}
      <p>
        <a href="/agents">Browse the whole directory</a>
        {!isOfSubject && (
          <>
            {' · '}
            <a href="/docs">Read the documentation</a>
          </>
        )}
      </p>
    </>
  );
}
