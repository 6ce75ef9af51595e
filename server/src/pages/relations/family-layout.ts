import type { VerdictState } from '../../scoring/verdict/verdict.ts';

export const NODE = { width: 176, height: 46 } as const;
const GAP = 104;
const ROW = 58;
const MARGIN = 3;
const NAME_CELLS = 16;

/** One box with the line that joins it to the box nearer to the page's own. */
export interface Kin {
  key: string;
  /** Null for what has no page. */
  path: string | null;
  name: string;
  line: string;
  verdict: VerdictState | null;
  /** The line's. An edge is named by its younger end. */
  edgeKey: string;
  label: string;
  claimed: boolean;
  equity: number;
  /** The whole relation in words, for those who hear the drawing. */
  says: string;
  /** Farther from the page's own box. */
  beyond: Kin[];
}

/** What is drawn around a page's own box. */
export interface Family {
  self: { key: string; name: string; line: string };
  before: Kin[];
  after: Kin[];
}

/** A box in the drawing; `says` is null for the page's own. */
export interface DrawnNode extends Pick<Kin, 'key' | 'path' | 'name' | 'line' | 'verdict'> {
  says: string | null;
  /** The name as far as the box takes it. */
  shownName: string;
  x: number;
  y: number;
}

/** A line between two boxes, with its words. */
export interface DrawnEdge extends Pick<Kin, 'label' | 'claimed' | 'equity'> {
  key: string;
  /** The box farther from the page's own. */
  farKey: string;
  path: string;
  labelX: number;
  labelY: number;
  anchor: 'start' | 'end';
}

export interface FamilyDrawing {
  width: number;
  height: number;
  /** From left to right, each column from the top: as a reader goes, so does the keyboard. */
  nodes: DrawnNode[];
  edges: DrawnEdge[];
}

interface Placing {
  nodes: DrawnNode[];
  edges: DrawnEdge[];
  /** 1 to the right of the page's own box, -1 to the left. */
  direction: 1 | -1;
  nextRow: number;
}

/** Places a family from left to right, the page's own box in the middle of its neighbours. */
export function placeFamily({ self, before, after }: Family): FamilyDrawing {
  const column = depthOf(before);
  const rows = [leavesOf(before), leavesOf(after), 1];
  const height = Math.max(...rows) * ROW;
  const own = { x: MARGIN + column * (NODE.width + GAP), y: MARGIN + (height - ROW) / 2 };
  const nodes: DrawnNode[] = [
    { ...self, ...own, path: null, verdict: null, says: null, shownName: cut(self.name) },
  ];
  const edges: DrawnEdge[] = [];
  for (const [kin, direction] of [
    [before, -1],
    [after, 1],
  ] as const) {
    const first = MARGIN + (height - leavesOf(kin) * ROW) / 2;
    placeBeyond(kin, own, { nodes, edges, direction, nextRow: first });
  }
  nodes.sort((a, b) => a.x - b.x || a.y - b.y);
  return {
    width: Math.max(...nodes.map(({ x }) => x)) + NODE.width + MARGIN,
    height: MARGIN + height - (ROW - NODE.height) + MARGIN,
    nodes,
    edges,
  };
}

function depthOf(kin: readonly Kin[]): number {
  return kin.length === 0 ? 0 : 1 + Math.max(...kin.map(({ beyond }) => depthOf(beyond)));
}

function leavesOf(kin: readonly Kin[]): number {
  return kin.reduce((sum, { beyond }) => sum + Math.max(1, leavesOf(beyond)), 0);
}

/** Boxes farther away come first: each takes the next free row, and what leads to them stands midway. */
function placeBeyond(kin: readonly Kin[], near: { x: number; y: number }, placing: Placing): void {
  const x = near.x + placing.direction * (NODE.width + GAP);
  for (const each of kin) {
    const rows = Math.max(1, leavesOf(each.beyond));
    const place = { x, y: placing.nextRow + ((rows - 1) * ROW) / 2 };
    placeBeyond(each.beyond, place, placing);
    if (each.beyond.length === 0) placing.nextRow += ROW;
    const { key, path, name, line, verdict, says } = each;
    placing.nodes.push({ key, path, name, line, verdict, says, shownName: cut(name), ...place });
    placing.edges.push(drawEdge(each, near, place, placing.direction));
  }
}

function drawEdge(
  kin: Kin,
  near: { x: number; y: number },
  far: { x: number; y: number },
  direction: 1 | -1,
) {
  const [start, end] = direction === 1 ? [near.x + NODE.width, far.x] : [near.x, far.x + NODE.width];
  const [from, to] = [near.y + NODE.height / 2, far.y + NODE.height / 2];
  // Level well before the box farther away, where the words stand.
  const bend = start + direction * GAP * 0.36;
  const edge: DrawnEdge = {
    key: kin.edgeKey,
    farKey: kin.key,
    path: `M${start},${from}C${bend},${from} ${start},${to} ${end},${to}`,
    label: kin.label,
    claimed: kin.claimed,
    equity: kin.equity,
    labelX: end - direction * 6,
    // On the side that the line does not come from.
    labelY: to > from ? to + 14 : to - 5,
    anchor: direction === 1 ? 'end' : 'start',
  };
  return edge;
}

/** Wide characters count double; a name that is too long ends in an ellipsis. */
function cut(name: string): string {
  let cells = 0;
  let shown = '';
  for (const { segment } of new Intl.Segmenter('en').segment(name)) {
    cells += (segment.codePointAt(0) ?? 0) >= 0x1100 ? 2 : 1;
    if (cells > NAME_CELLS) return `${shown}…`;
    shown += segment;
  }
  return shown;
}
