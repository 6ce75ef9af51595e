import type { ListingPage, Relative } from './listing-page-data.ts';

export const NODE = { width: 186, height: 46 } as const;
const GAP = 84;
const ROW = 58;
const MARGIN = 3;
/** Rows of one drawing; the list beneath has everybody. */
const MOST_LEAVES = 8;
const NAME_CELLS = 18;

/** A listing in the drawing; `path` is null for the page's own. */
export interface DrawnNode {
  key: string;
  path: string | null;
  name: string;
  /** The name as far as the box takes it. */
  shownName: string;
  line: string;
  x: number;
  y: number;
}

/** An edge from parent to child, with the equity that it passes on. */
interface DrawnEdge {
  key: string;
  path: string;
  claimed: boolean;
  equity: number;
  labelX: number;
  labelY: number;
}

export interface LineageDrawing {
  width: number;
  height: number;
  nodes: DrawnNode[];
  edges: DrawnEdge[];
  /** Ancestors before the leftmost and descendants that have no place. */
  hiddenBefore: number;
  hiddenAfter: number;
}

interface Branch {
  node: Omit<DrawnNode, 'x' | 'y'>;
  edge: Relative['entry'];
  children: Branch[];
}

/** Places a family from left to right in at most three columns around its page's own listing. */
export function layOutLineage(page: ListingPage): LineageDrawing {
  const { ancestors, descendants, own, record } = page;
  const before = ancestors.slice(0, descendants.length > 0 ? 1 : 2);
  const tree = branchesBelow(page, record.agentId, before.length > 0 ? 1 : 2);
  const self: Branch = {
    node: {
      key: record.agentId,
      path: null,
      name: record.name,
      shownName: cut(record.name),
      line: 'this one',
    },
    edge: own,
    children: tree,
  };
  // Each ancestor holds the next nearer one as its only child.
  const root = before.reduce<Branch>(
    (child, ancestor) => ({ ...toBranch(ancestor), children: [child] }),
    self,
  );
  const drawing: LineageDrawing = {
    width: 0,
    height: 0,
    nodes: [],
    edges: [],
    hiddenBefore: ancestors.length - before.length,
    hiddenAfter: 0,
  };
  const rows = { next: 0 };
  drawBranch(root, 0, rows, drawing);
  const below = drawing.nodes.length - 1 - before.length;
  drawing.hiddenAfter = Math.max(0, descendants.length - below);
  drawing.width = Math.max(...drawing.nodes.map(({ x }) => x)) + NODE.width + MARGIN;
  drawing.height = Math.max(...drawing.nodes.map(({ y }) => y)) + NODE.height + MARGIN;
  return drawing;
}

function branchesBelow({ descendants }: ListingPage, agentId: string, generations: number): Branch[] {
  let leaves = 0;
  const below = (parentId: string, depth: number): Branch[] => {
    const branches: Branch[] = [];
    for (const relative of descendants.filter(({ entry }) => entry.parentId === parentId)) {
      if (leaves >= MOST_LEAVES) break;
      const branch = toBranch(relative);
      if (depth < generations) branch.children = below(relative.entry.record.agentId, depth + 1);
      if (branch.children.length === 0) leaves += 1;
      branches.push(branch);
    }
    return branches;
  };
  return below(agentId, 1);
}

function toBranch({ entry, link }: Relative): Branch {
  const { agentId, name, trust, confidence } = entry.record;
  const line =
    trust === null || confidence === null
      ? 'no score yet'
      : `trust ${trust.toFixed(1)} · sure ${confidence.toFixed(1)}`;
  return {
    node: { key: agentId, path: link.path, name, shownName: cut(name), line },
    edge: entry,
    children: [],
  };
}

/** Puts a branch's children first, each leaf on the next free row, and the branch itself midway between them. */
function drawBranch(branch: Branch, column: number, rows: { next: number }, drawing: LineageDrawing): number {
  const x = MARGIN + column * (NODE.width + GAP);
  const children = branch.children.map((child) => drawBranch(child, column + 1, rows, drawing));
  const [first] = children;
  const y = first === undefined ? MARGIN + ROW * rows.next++ : (first + (children.at(-1) ?? first)) / 2;
  drawing.nodes.push({ ...branch.node, x, y });
  branch.children.forEach((child, index) => {
    drawing.edges.push(drawEdge(child, x, y, children[index] ?? y));
  });
  return y;
}

function drawEdge({ edge, node }: Branch, x: number, y: number, childY: number): DrawnEdge {
  const start = x + NODE.width;
  const [from, to] = [y + NODE.height / 2, childY + NODE.height / 2];
  // Level well before the child, where the figure stands.
  const bend = start + GAP * 0.4;
  return {
    key: node.key,
    path: `M${start},${from}C${bend},${from} ${start},${to} ${start + GAP},${to}`,
    claimed: !edge.acknowledged,
    equity: edge.trustEquityFlow,
    labelX: start + GAP - 6,
    // On the side that the line does not come from.
    labelY: to > from ? to + 14 : to - 5,
  };
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
