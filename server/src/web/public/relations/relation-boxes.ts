import { formatConfidence, formatCount, formatTrust } from '../../components/formatting.tsx';
import { verdictLabel } from '../../components/verdict-mark.tsx';
import type { RelativeBox } from './family-layout.ts';
import {
  headingOf,
  isOlder,
  lineLabel,
  relationsHref,
  type ShownGroup,
  type ShownRelation,
} from './linked-relations.ts';

/** Maximum boxes of one kind; more are only counted. */
const MAX_BOXES_OF_A_KIND = 3;

/** Boxes for relations other than descent, and their total without the limit. */
export interface DrawnRelations {
  before: RelativeBox[];
  after: RelativeBox[];
  total: { before: number; after: number };
}

/**
 * Creates a box for each related subject, older ones on the left. Relations of files share one box per kind. Omits
 * subjects that the family already contains.
 */
export function relationBoxes(
  groups: readonly ShownGroup[],
  own: string,
  family: ReadonlySet<string>,
  files: 'together' | 'each' = 'together',
): DrawnRelations {
  const drawn: DrawnRelations = { before: [], after: [], total: { before: 0, after: 0 } };
  for (const group of groups) {
    const side = isOlder(group.kind, group.direction) ? 'before' : 'after';
    const isOfFiles = files === 'together' && group.shown.some((relation) => relation.files > 0);
    const others = group.shown.filter(({ other }) => other.id === null || !family.has(other.id));
    const boxes = isOfFiles ? [boxOfFiles(group, own)] : others.map((relation) => boxOf(group, relation));
    drawn[side].push(...boxes.slice(0, MAX_BOXES_OF_A_KIND));
    drawn.total[side] += isOfFiles ? 1 : group.others - (group.shown.length - others.length);
  }
  return drawn;
}

function boxOf(group: ShownGroup, { other, path, stated, files }: ShownRelation): RelativeBox {
  const { trust, confidence, verdict } = other;
  const isScored = trust !== null && confidence !== null;
  const score = isScored ? `trust ${formatTrust(trust)} · ${formatConfidence(confidence)}` : null;
  const line = score ?? (other.id === null ? 'not listed here' : 'no score yet');
  const figures = verdict === null ? line : `${line}, ${verdictLabel(verdict)}`;
  const key = `${group.kind} ${group.direction} ${other.id ?? other.repository}`;
  return {
    ...lineOf(group, key, files),
    path,
    name: other.isInside ? other.name : (other.repository.split('/')[1] ?? other.name),
    line: other.isInside ? truncateLine(other.repository) : line,
    verdict: other.isInside ? null : verdict,
    says: `${headingOf(group.kind, group.direction)} ${other.repository}, ${stated ? 'stated' : 'inferred'}; ${figures}`,
  };
}

/** Creates one box for many files of many repositories. */
function boxOfFiles(group: ShownGroup, own: string): RelativeBox {
  const { kind, direction, others, files, shown } = group;
  const [first] = shown;
  const name = files === 1 ? '1 file' : `${formatCount(files)} files`;
  const line = others === 1 ? `in ${first?.other.repository}` : `in ${formatCount(others)} repositories`;
  return {
    ...lineOf(group, `${kind} ${direction}`, files),
    path: others === 1 ? (first?.path ?? null) : relationsHref(own, group),
    name,
    line: truncateLine(line),
    verdict: null,
    says: `${headingOf(kind, direction)}: ${name} ${line}`,
  };
}

/** Returns the line of a relation. Only lineage can be acknowledged and passes trust on. */
function lineOf({ kind }: ShownGroup, key: string, files: number) {
  return { key, edgeKey: key, label: lineLabel(kind, files), claimed: true, equity: 0, beyond: [] };
}

/** Truncates a text to the width of a box. */
function truncateLine(text: string): string {
  const letters = [...text];
  return letters.length > MAX_LINE_LENGTH ? `${letters.slice(0, MAX_LINE_LENGTH - 1).join('')}…` : text;
}

const MAX_LINE_LENGTH = 25;
