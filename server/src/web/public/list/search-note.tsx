import { directionOf } from '../../../directory/search/direction.ts';
import type { IgnoredWord } from '../../../directory/search/search-term.ts';
import { ForeignText } from '../../components/formatting.tsx';
import type { FittingList } from './fitting-lists.ts';
import { type ListQuery, listHref } from './page-links.tsx';

interface SearchNoteProps {
  ignoredWords: readonly IgnoredWord[];
  /** Number of words that were looked for. */
  lookedFor: number;
  fitting: readonly FittingList[];
}

/** Says which words of a search were not looked for, and names lists that fit too; renders nothing without both. */
export function SearchNote({ ignoredWords, lookedFor, fitting }: SearchNoteProps) {
  const common = wordsFor(ignoredWords, 'common');
  const beyond = wordsFor(ignoredWords, 'beyond_limit');
  if (common.length + beyond.length + fitting.length === 0) return null;
  return (
    <p class="muted small">
      {common.length > 0 && (
        <>
          <Quoted words={common} /> {common.length === 1 ? 'was' : 'were'} not looked for, being too common.{' '}
        </>
      )}
      {beyond.length > 0 && (
        <>
          Only the {lookedFor} rarest words are looked for: without <Quoted words={beyond} />.{' '}
        </>
      )}
      {fitting.length > 0 && (
        <>
          Also: <FittingLinks fitting={fitting} />
        </>
      )}
    </p>
  );
}

/** Links to the lists of categories and tags. */
export function FittingLinks({ fitting }: { fitting: readonly FittingList[] }) {
  return (
    <>
      {fitting.map(({ filter, value }, at) => (
        <>
          {at > 0 && ', '}
          <a key={value} href={listHref({ [filter]: value })}>
            <ForeignText>{filter === 'tag' ? `#${value}` : value}</ForeignText>
          </a>
        </>
      ))}
    </>
  );
}

/** Offers the search for the opposite conversion, if the text asks for a conversion. */
export function OtherDirection({ list }: { list: ListQuery }) {
  const direction = list.q === null ? null : directionOf(list.q);
  if (direction === null) return null;
  const turned = `${direction.to} to ${direction.from}`;
  return (
    <p class="turned muted small">
      Looking for the other direction?{' '}
      <a href={listHref({ ...list, q: turned })}>
        <ForeignText>{turned}</ForeignText>
      </a>
    </p>
  );
}

function wordsFor(words: readonly IgnoredWord[], asked: IgnoredWord['reason']): string[] {
  return [...new Set(words.filter(({ reason }) => reason === asked).map(({ word }) => word))];
}

/** Maximum number of words shown one by one. */
const MAX_WORDS = 10;

function Quoted({ words }: { words: readonly string[] }) {
  return (
    <>
      {words.slice(0, MAX_WORDS).map((word, at) => (
        <>
          {at > 0 && ', '}“<ForeignText>{word}</ForeignText>”
        </>
      ))}
      {words.length > MAX_WORDS && ` and ${words.length - MAX_WORDS} more`}
    </>
  );
}
