import { CATEGORIES } from '../../../catalog/listings/listing-row.ts';
import { searchWords } from '../../../catalog/listings/search-words.ts';
import type { AddressMatch, UniqueAddress } from '../../../catalog/subjects/find-by-address.ts';
import { type PublicUrls, publicRepository } from '../../../catalog/subjects/public-path.ts';
import { describeDelisting, type ResolvedSubject } from '../../../catalog/subjects/resolve-subject.ts';
import type { ListedAgent } from '../../../directory/lists/link-agents.ts';
import { directionOf } from '../../../directory/search/direction.ts';
import { comparedText, locateTerm, patternOf } from '../../../directory/search/locate-terms.ts';
import type { IgnoredWord, SearchTerm } from '../../../directory/search/search-term.ts';
import { ForeignText, toWords } from '../../components/formatting.tsx';
import { type ListQuery, listHref } from './page-links.tsx';

/** A category or tag whose list may also contain what the visitor searches for. */
export interface FittingList {
  filter: 'category' | 'tag';
  value: string;
}

/** Maximum number of suggested categories, and of suggested tags. */
const MAX_LISTS = 2;
/** Minimum number of listings that share a category or tag. */
const MIN_LISTINGS = 2;

/** Tags that are too general to suggest, because listings of every kind have them. */
const GENERAL_TAGS = new Set(
  `mcp mcpserver mcpservers modelcontextprotocol ai agent agents aiagent aiagents agentskills llm llms skill skills
  claude claudecode claudeskills openai chatgpt gpt python typescript javascript tool tools server opensource`.split(
    /\s+/,
  ),
);

/**
 * Returns the categories and tags that fit a search: first those that its words name, then those that several of the
 * found listings share. Leaves out a tag that has only some of the words, because its list is less relevant.
 */
export function fittingLists(agents: readonly ListedAgent[], terms: readonly SearchTerm[]): FittingList[] {
  const patterns = terms.map(patternOf);
  const categories = mostFrequent(agents.map(({ record }) => record.category)).filter(
    ([category, count]) => category !== 'other' && count >= Math.max(MIN_LISTINGS, agents.length / 2),
  );
  const named = CATEGORIES.filter((category) => countTerms(category, patterns) > 0);
  const tags = mostFrequent(agents.flatMap(({ record }) => [...new Set(record.tags.map(lowerCase))]))
    .filter(([tag, count]) => count >= MIN_LISTINGS && !GENERAL_TAGS.has(searchWords(tag).join('')))
    .map(([tag]) => ({ tag, terms: countTerms(tag, patterns) }))
    .filter((each) => each.terms === 0 || each.terms === terms.length)
    .sort((one, other) => other.terms - one.terms);
  return [
    ...distinct([...named, ...categories.map(([category]) => category)]).map((value) => ({
      filter: 'category' as const,
      value,
    })),
    ...tags.slice(0, MAX_LISTS).map(({ tag }) => ({ filter: 'tag' as const, value: tag })),
  ];
}

/** Returns how many of the terms' patterns match a text. */
function countTerms(text: string, patterns: readonly (RegExp | null)[]): number {
  const compared = comparedText(text);
  return patterns.filter((pattern) => locateTerm(compared, pattern).length > 0).length;
}

function mostFrequent(values: readonly string[]): [string, number][] {
  const counts = new Map<string, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return [...counts].sort(([, one], [, other]) => other - one);
}

function distinct(values: readonly string[]): string[] {
  return [...new Set(values)].slice(0, MAX_LISTS);
}

function lowerCase(text: string): string {
  return text.toLowerCase();
}

interface SearchNoteProps {
  ignoredWords: readonly IgnoredWord[];
  /** Number of words of the search that were not ignored. */
  lookedFor: number;
  fitting: readonly FittingList[];
}

/** Says which words of a search were ignored, and links to fitting lists; renders nothing if there are neither. */
export function SearchNote({ ignoredWords, lookedFor, fitting }: SearchNoteProps) {
  const common = wordsFor(ignoredWords, 'common');
  const [beyond, unknown] = [wordsFor(ignoredWords, 'beyond_limit'), wordsFor(ignoredWords, 'unknown')];
  if (ignoredWords.length + fitting.length === 0) return null;
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
      {unknown.length > 0 && (
        <>
          <Quoted words={unknown} /> {unknown.length === 1 ? 'was' : 'were'} ignored: no entry is known to
          have {unknown.length === 1 ? 'this word' : 'these words'}.{' '}
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

/** Links to the search for the opposite conversion, such as "pdf to markdown" in a search for "markdown to pdf". */
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

/** Maximum number of ignored words that a note names; it only counts the rest. */
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

interface AddressNoteProps {
  addressed: AddressMatch;
  hasResults: boolean;
  publicUrls: PublicUrls;
}

/** Explains that an address in the search box names several subjects, a delisted one or none. */
export function AddressNote({ addressed, hasResults, publicUrls }: AddressNoteProps) {
  const { address, subjects, delisted } = addressed;
  const text = toText(address, publicUrls);
  return (
    <div class="notice">
      {subjects.length > 0 ? (
        <Candidates subjects={subjects} text={text} />
      ) : (
        <p>
          {delisted ? (
            <ForeignText>{describeDelisting(delisted)}</ForeignText>
          ) : (
            <Unknown what={ENTRY_PHRASES[address.kind]} text={text} />
          )}
        </p>
      )}
      {hasResults && (
        <p>
          Search results for <ForeignText>{searchWordsOf(address)}</ForeignText>:
        </p>
      )}
    </div>
  );
}

/** Returns the text to search for instead of an address: the last part of its path, its handle or its id. */
export function searchWordsOf(address: UniqueAddress): string {
  switch (address.kind) {
    case 'repository':
      return lastPart(address.repository);
    case 'package':
      return lastPart(address.label.replace(/^[^:]+:/, ''));
    case 'handle':
      return address.handle;
    case 'id':
      return address.id;
  }
}

function Candidates({ subjects, text }: { subjects: readonly ResolvedSubject[]; text: string }) {
  return (
    <>
      <p>
        Several entries have the name <ForeignText>{text}</ForeignText>:
      </p>
      <ul>
        {subjects.map(({ id, type, name, repository, publicPath }) => (
          <li key={id}>
            <a href={publicPath}>
              <ForeignText>{name}</ForeignText>
            </a>{' '}
            <span class="muted small">
              {toWords(type)} <ForeignText>{repository ?? publicPath}</ForeignText>
            </span>
          </li>
        ))}
      </ul>
    </>
  );
}

function Unknown({ what, text }: { what: string; text: string }) {
  return (
    <>
      No {what} <ForeignText>{text}</ForeignText> in the directory yet.
    </>
  );
}

const ENTRY_PHRASES: Readonly<Record<UniqueAddress['kind'], string>> = {
  repository: 'listing for',
  package: 'listing for',
  id: 'entry with the id',
  handle: 'creator or account',
};

/** Formats an address as the directory writes it. */
function toText(address: UniqueAddress, publicUrls: PublicUrls): string {
  switch (address.kind) {
    case 'repository':
      return address.host === null
        ? address.repository
        : `${publicRepository({ ...address, host: address.host }, publicUrls)}`;
    case 'package':
      return address.label;
    case 'handle':
      return address.host === null ? `@${address.handle}` : `${address.host}:${address.handle}`;
    case 'id':
      return address.id.toUpperCase().startsWith('AGT-') ? address.id.toUpperCase() : address.id;
  }
}

function lastPart(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}
