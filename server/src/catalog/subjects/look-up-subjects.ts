import type { Connection } from '../../platform/database/connect.ts';
import { SUBJECT_TYPES, type SubjectType } from '../../scoring/subject-type.ts';
import { loadCurrentScores, NO_SCORE } from './current-score.queries.ts';
import type { FoundSubject } from './found-subject.fragment.ts';
import { findDelistedOfAll, findSubjectsOfAll } from './found-subject.queries.ts';
import type { PublicUrls } from './public-path.ts';
import {
  ambiguous,
  type Delisted,
  goneError,
  notFoundAmong,
  otherTypesThan,
  type ResolvedSubject,
  type SubjectRecord,
  subjectLookup,
  toResolved,
} from './resolve-subject.ts';

/** A text to look up. Without a type, subjects of all types are searched. */
export interface AskedSubject {
  readonly text: string;
  readonly type: SubjectType | null;
}

/** Result of one of many look-ups. `message` tells people why there is no record. */
export type LookedUp =
  | { readonly status: 'found'; readonly record: SubjectRecord }
  | { readonly status: 'not_found' | 'invalid'; readonly message: string }
  | {
      readonly status: 'ambiguous';
      readonly message: string;
      readonly candidates: readonly ResolvedSubject[];
    }
  | { readonly status: 'removed'; readonly message: string; readonly removal: Delisted };

const MAX_CHARACTERS = 512;
const INVALID: LookedUp = {
  status: 'invalid',
  message: `A subject has 1 to ${MAX_CHARACTERS} characters, and no control characters.`,
};

/**
 * Looks up many texts as `lookUpSubject` does, and returns a result for each, in the order of `asked`. A text that
 * names no subject does not make the others fail. Sends at most four statements, however many texts there are.
 */
export async function lookUpSubjects(
  connection: Connection,
  asked: readonly AskedSubject[],
  publicUrls: PublicUrls,
): Promise<LookedUp[]> {
  const usable = asked.filter(({ text }) => isSubjectText(text));
  const found = await findOfTypes(connection, usable, typesOf, publicUrls);
  const records = await loadRecords(connection, found, publicUrls);
  const missing = usable.filter((_each, index) => found[index]?.length === 0);
  const refusals = await explainMissing(connection, missing, publicUrls);
  const results = new Map(usable.map((each, index) => [each, resultOf(each, found[index] ?? [])]));
  return asked.map((each) => results.get(each) ?? INVALID);

  function resultOf(each: AskedSubject, [first, ...others]: readonly FoundSubject[]): LookedUp {
    const record = first && records.get(first.id);
    if (first === undefined || record === undefined) return refusals.get(each) ?? INVALID;
    if (others.length === 0) return { status: 'found', record };
    const candidates = [first, ...others].map((one) => toResolved(one, publicUrls));
    return { status: 'ambiguous', message: ambiguous(candidates).message, candidates };
  }
}

/** Returns the subjects of these types that each text names, in the order of `texts`, from one statement. */
export async function findNamedSubjects(
  connection: Connection,
  texts: readonly string[],
  types: readonly SubjectType[],
  publicUrls: PublicUrls,
): Promise<ResolvedSubject[][]> {
  const asked = texts.map((text) => ({ text, type: null }));
  const found = await findOfTypes(connection, asked, () => types, publicUrls);
  return found.map((subjects) => subjects.map((subject) => toResolved(subject, publicUrls)));
}

/** Returns true if a text can name a subject: 1 to 512 characters after trimming, and no control characters. */
function isSubjectText(text: string): boolean {
  const trimmed = text.trim();
  if (trimmed === '' || /\p{Cc}/u.test(text)) return false;
  return trimmed.length <= MAX_CHARACTERS || [...trimmed].length <= MAX_CHARACTERS;
}

function typesOf({ type }: AskedSubject): readonly SubjectType[] {
  return type === null ? SUBJECT_TYPES : [type];
}

/** Finds the subjects of each text among the types that `of` returns for it. Sends one statement. */
function findOfTypes(
  connection: Connection,
  asked: readonly AskedSubject[],
  of: (each: AskedSubject) => readonly SubjectType[],
  publicUrls: PublicUrls,
): Promise<FoundSubject[][]> {
  const lookups = asked.map((each) => subjectLookup(of(each), each.text, publicUrls));
  return findSubjectsOfAll(connection, lookups);
}

/** Loads the record of the first subject found for each text, by subject id. `found` has one list per text. */
async function loadRecords(
  connection: Connection,
  found: readonly FoundSubject[][],
  publicUrls: PublicUrls,
): Promise<Map<string, SubjectRecord>> {
  const subjects = new Map(found.flatMap(([first]) => (first ? [[first.id, first] as const] : [])));
  const scores = await loadCurrentScores(connection, [...subjects.keys()]);
  return new Map(
    [...subjects].map(([id, subject]) => [
      id,
      { ...toResolved(subject, publicUrls), ...(scores.get(id) ?? NO_SCORE) },
    ]),
  );
}

/**
 * Says for each text without a subject whether the subject was removed, has another type than the requested one, or
 * is unknown.
 */
async function explainMissing(
  connection: Connection,
  missing: readonly AskedSubject[],
  publicUrls: PublicUrls,
): Promise<Map<AskedSubject, LookedUp>> {
  const typed = missing.filter(({ type }) => type !== null);
  const [delisted, ofOtherTypes] = await Promise.all([
    findDelistedOfAll(
      connection,
      missing.map((each) => subjectLookup(typesOf(each), each.text, publicUrls).labels),
    ),
    findOfTypes(connection, typed, (each) => otherTypesThan(typesOf(each)), publicUrls),
  ]);
  const explain = (each: AskedSubject, removal: Delisted | undefined): LookedUp => {
    if (removal) return { status: 'removed', message: goneError(removal).message, removal };
    const others = ofOtherTypes[typed.indexOf(each)] ?? [];
    return { status: 'not_found', message: notFoundAmong(typesOf(each), others, publicUrls).message };
  };
  return new Map(missing.map((each, index) => [each, explain(each, delisted[index]?.[0])]));
}
