import type { Candidate } from '../../domain-error.ts';
import { Foreign } from './text.tsx';

interface ProblemViewProps {
  title: string;
  text: string;
  candidates?: readonly Candidate[];
}

/** What is shown in place of a page, with what to do next. */
export function ProblemView({ title, text, candidates = [] }: ProblemViewProps) {
  return (
    <>
      <h1>{title}</h1>
      <p>{text}</p>
      {candidates.length > 0 && (
        <ul>
          {candidates.map((candidate) => (
            <li key={candidate.canonical_id}>
              <a href={candidate.public_path}>
                <Foreign>{candidate.name}</Foreign>
              </a>{' '}
              <span class="muted small">
                {candidate.type} <Foreign>{candidate.repository}</Foreign>
              </span>
            </li>
          ))}
        </ul>
      )}
      <p>
        <a href="/">Search the directory</a>
      </p>
    </>
  );
}
