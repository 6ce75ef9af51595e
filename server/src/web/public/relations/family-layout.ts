import type { ReasonCode } from '../../../scoring/verdict/reasons.ts';
import { isDefaultScore, type VerdictState } from '../../../scoring/verdict/verdict.ts';
import { formatConfidence, formatCount, formatTrust } from '../../components/formatting.tsx';
import { NOT_ENOUGH_EVIDENCE, verdictLabel } from '../../components/score-figures.tsx';
import {
  headingOf,
  isOlder,
  lineLabel,
  relationsHref,
  type ShownGroup,
  type ShownRelation,
} from './linked-relations.ts';

export const NODE = { width: 176, height: 46 } as const;

const COLUMN_GAP = 104;

const ROW_HEIGHT = 58;

const MARGIN = 3;

const MAX_NAME_CELLS = 16;

/** A relative's box, with the line that joins it to the next box towards the box of the page's own subject. */
export interface RelativeBox {
  key: string;
  /** Path of the relative's page; null if it has none. */
  path: string | null;
  name: string;
  line: string;
  verdict: VerdictState | null;
  /** Key of that line: in a lineage, the key of the box of the child; otherwise the key of this box. */
  edgeKey: string;
  label: string;
  claimed: boolean;
  equity: number;
  /** Whole relation in words, for screen readers. */
  says: string;
  /** Boxes behind this one, farther from the box of the page's own subject. */
  beyond: RelativeBox[];
}

/** Relatives to draw: `before` left and `after` right of the box of the page's own subject. */
export interface Family {
  self: { key: string; name: string; line: string };
  before: RelativeBox[];
  after: RelativeBox[];
}

/** Box in the drawing; `says` is null for the box of the page's own subject. */
export interface DrawnNode extends Pick<RelativeBox, 'key' | 'path' | 'name' | 'line' | 'verdict'> {
  says: string | null;
  /** Name, truncated to the width of the box. */
  shownName: string;
  x: number;
  y: number;
}

/** Line between two boxes, with its label. */
export interface DrawnEdge extends Pick<RelativeBox, 'label' | 'claimed' | 'equity'> {
  key: string;
  /** Key of the box that is farther from the box of the page's own subject. */
  farKey: string;
  path: string;
  labelX: number;
  labelY: number;
  anchor: 'start' | 'end';
}

export interface FamilyLayout {
  width: number;
  height: number;
  /** Boxes by column from the left, and from top to bottom within a column: the order of keyboard focus. */
  nodes: DrawnNode[];
  edges: DrawnEdge[];
}

interface Placing {
  nodes: DrawnNode[];
  edges: DrawnEdge[];
  /** 1 for boxes right of the page's own box, -1 for those left of it. */
  direction: 1 | -1;
  /** Vertical coordinate of the next free row. */
  nextY: number;
}

/** Lays out relatives from left to right, with the box of the page's own subject vertically centred. */
export function layOutFamily({ self, before, after }: Family): FamilyLayout {
  const column = depthOf(before);
  const rows = [leavesOf(before), leavesOf(after), 1];
  const height = Math.max(...rows) * ROW_HEIGHT;
  const own = { x: MARGIN + column * (NODE.width + COLUMN_GAP), y: MARGIN + (height - ROW_HEIGHT) / 2 };
  const nodes: DrawnNode[] = [
    { ...self, ...own, path: null, verdict: null, says: null, shownName: truncateName(self.name) },
  ];
  const edges: DrawnEdge[] = [];
  for (const [kin, direction] of [
    [before, -1],
    [after, 1],
  ] as const) {
    const first = MARGIN + (height - leavesOf(kin) * ROW_HEIGHT) / 2;
    placeFarther(kin, own, { nodes, edges, direction, nextY: first });
  }
  nodes.sort((a, b) => a.x - b.x || a.y - b.y);
  return {
    width: Math.max(...nodes.map(({ x }) => x)) + NODE.width + MARGIN,
    height: MARGIN + height - (ROW_HEIGHT - NODE.height) + MARGIN,
    nodes,
    edges,
  };
}

function depthOf(kin: readonly RelativeBox[]): number {
  return kin.length === 0 ? 0 : 1 + Math.max(...kin.map(({ beyond }) => depthOf(beyond)));
}

function leavesOf(kin: readonly RelativeBox[]): number {
  return kin.reduce((sum, { beyond }) => sum + Math.max(1, leavesOf(beyond)), 0);
}

/**
 * Places each box that has no boxes beyond it in a row of its own. Centres every other box on the rows of the boxes beyond
 * it, as seen from the page's subject.
 */
function placeFarther(kin: readonly RelativeBox[], near: { x: number; y: number }, placing: Placing): void {
  const x = near.x + placing.direction * (NODE.width + COLUMN_GAP);
  for (const each of kin) {
    const rows = Math.max(1, leavesOf(each.beyond));
    const place = { x, y: placing.nextY + ((rows - 1) * ROW_HEIGHT) / 2 };
    placeFarther(each.beyond, place, placing);
    if (each.beyond.length === 0) placing.nextY += ROW_HEIGHT;
    const { key, path, name, line, verdict, says } = each;
    placing.nodes.push({ key, path, name, line, verdict, says, shownName: truncateName(name), ...place });
    placing.edges.push(drawEdge(each, near, place, placing.direction));
  }
}

function drawEdge(
  kin: RelativeBox,
  near: { x: number; y: number },
  far: { x: number; y: number },
  direction: 1 | -1,
) {
  const [start, end] = direction === 1 ? [near.x + NODE.width, far.x] : [near.x, far.x + NODE.width];
  const [from, to] = [near.y + NODE.height / 2, far.y + NODE.height / 2];
  // The curve becomes level before it reaches the far box, because the label is there.
  const bend = start + direction * COLUMN_GAP * 0.36;
  const edge: DrawnEdge = {
    key: kin.edgeKey,
    farKey: kin.key,
    path: `M${start},${from}C${bend},${from} ${start},${to} ${end},${to}`,
    label: kin.label,
    claimed: kin.claimed,
    equity: kin.equity,
    labelX: end - direction * 6,
    // Put the label on the side that the line does not cross.
    labelY: to > from ? to + 14 : to - 5,
    anchor: direction === 1 ? 'end' : 'start',
  };
  return edge;
}

/** Truncates a name to the width of a box; wide characters count double. */
function truncateName(name: string): string {
  let cells = 0;
  let shown = '';
  for (const { segment } of new Intl.Segmenter('en').segment(name)) {
    cells += (segment.codePointAt(0) ?? 0) >= 0x1100 ? 2 : 1;
    if (cells > MAX_NAME_CELLS) return `${shown}…`;
    shown += segment;
  }
  return shown;
}

/** Maximum boxes of one kind and direction; further relations are only counted. */
const MAX_BOXES_OF_A_KIND = 3;

/** Boxes for relations other than descent on each side, and their total number before the limit. */
export interface DrawnRelations {
  before: RelativeBox[];
  after: RelativeBox[];
  total: { before: number; after: number };
}

/**
 * Creates a box for each related subject that the family does not contain, older subjects on the left. Relations of files
 * share one box per kind and direction, unless `files` is `each`.
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
  const { trust, confidence, verdict, reasons } = other;
  const score = figuresLine(trust, confidence, reasons);
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

/**
 * Returns the text line of a box with the relative's trust and confidence; null without a score. The line is "not enough
 * evidence" if the figures are only defaults, as on the relative's own page.
 */
export function figuresLine(
  trust: number | null,
  confidence: number | null,
  reasons: readonly ReasonCode[] | null,
): string | null {
  if (trust === null || confidence === null) return null;
  if (isDefaultScore(confidence, reasons ?? [])) return NOT_ENOUGH_EVIDENCE.toLowerCase();
  return `trust ${formatTrust(trust)} · ${formatConfidence(confidence)}`;
}

/** Creates one box for all file relations of a group. */
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

/**
 * Returns the fields of a box that describe the line of a relation. `claimed` and `equity` are constant, because only
 * lineage can be acknowledged and passes trust on.
 */
function lineOf({ kind }: ShownGroup, key: string, files: number) {
  return { key, edgeKey: key, label: lineLabel(kind, files), claimed: true, equity: 0, beyond: [] };
}

/** Truncates a text to the width of a box. */
function truncateLine(text: string): string {
  const letters = [...text];
  return letters.length > MAX_LINE_LENGTH ? `${letters.slice(0, MAX_LINE_LENGTH - 1).join('')}…` : text;
}

const MAX_LINE_LENGTH = 25;
