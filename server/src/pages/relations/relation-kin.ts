import { formatConfidence, formatCount, formatTrust } from '../../ui/text.tsx';
import { verdictWord } from '../../ui/verdict-mark.tsx';
import type { Kin } from './family-layout.ts';
import { allOf, type ShownGroup, type ShownRelation } from './page-relations.ts';
import { comesBefore, headingOf, lineWord } from './relation-words.ts';

/** Boxes of one kind at most: others of it are counted. */
const MOST_OF_A_KIND = 3;

/** What is drawn of relations beside descent, and how many boxes that would be without a bound. */
export interface DrawnRelations {
  before: Kin[];
  after: Kin[];
  total: { before: number; after: number };
}

/**
 * A box for each other end, on the side that it is on in time; what is said of files is one box for all of a kind. Those
 * that the family has already are left out.
 */
export function drawnRelations(
  groups: readonly ShownGroup[],
  own: string,
  family: ReadonlySet<string>,
  files: 'together' | 'each' = 'together',
): DrawnRelations {
  const drawn: DrawnRelations = { before: [], after: [], total: { before: 0, after: 0 } };
  for (const group of groups) {
    const side = comesBefore(group.kind, group.direction) ? 'before' : 'after';
    const isOfFiles = files === 'together' && group.shown.some((relation) => relation.files > 0);
    const others = group.shown.filter(({ other }) => other.id === null || !family.has(other.id));
    const boxes = isOfFiles ? [boxOfFiles(group, own)] : others.map((relation) => boxOf(group, relation));
    drawn[side].push(...boxes.slice(0, MOST_OF_A_KIND));
    drawn.total[side] += isOfFiles ? 1 : group.others - (group.shown.length - others.length);
  }
  return drawn;
}

function boxOf(group: ShownGroup, { other, path, stated, files }: ShownRelation): Kin {
  const { trust, confidence, verdict } = other;
  const isScored = trust !== null && confidence !== null;
  const score = isScored ? `trust ${formatTrust(trust)} · ${formatConfidence(confidence)}` : null;
  const line = score ?? (other.id === null ? 'not listed here' : 'no score yet');
  const figures = verdict === null ? line : `${line}, ${verdictWord(verdict)}`;
  const key = `${group.kind} ${group.direction} ${other.id ?? other.repository}`;
  return {
    ...lineOf(group, key, files),
    path,
    name: other.isInside ? other.name : (other.repository.split('/')[1] ?? other.name),
    line: other.isInside ? cutLine(other.repository) : line,
    verdict: other.isInside ? null : verdict,
    says: `${headingOf(group.kind, group.direction)} ${other.repository}, ${stated ? 'stated' : 'inferred'}; ${figures}`,
  };
}

/** Many files of many repositories. */
function boxOfFiles(group: ShownGroup, own: string): Kin {
  const { kind, direction, others, files, shown } = group;
  const [first] = shown;
  const name = files === 1 ? '1 file' : `${formatCount(files)} files`;
  const line = others === 1 ? `in ${first?.other.repository}` : `in ${formatCount(others)} repositories`;
  return {
    ...lineOf(group, `${kind} ${direction}`, files),
    path: others === 1 ? (first?.path ?? null) : allOf(own, group),
    name,
    line: cutLine(line),
    verdict: null,
    says: `${headingOf(kind, direction)}: ${name} ${line}`,
  };
}

/** Only lineage passes trust on, and nobody acknowledges anything else. */
function lineOf({ kind }: ShownGroup, key: string, files: number) {
  return { key, edgeKey: key, label: lineWord(kind, files), claimed: true, equity: 0, beyond: [] };
}

/** As far as a box takes it. */
function cutLine(text: string): string {
  const letters = [...text];
  return letters.length > MOST_LETTERS ? `${letters.slice(0, MOST_LETTERS - 1).join('')}…` : text;
}

const MOST_LETTERS = 25;
