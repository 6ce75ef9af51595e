import { formatConfidence, formatCount, formatScore, formatTrust, toWords } from '../../ui/text.tsx';
import { verdictWord } from '../../ui/verdict-mark.tsx';
import { type FamilyDrawing, type Kin, placeFamily } from '../relations/family-layout.ts';
import { drawnRelations } from '../relations/relation-kin.ts';
import type { ListingPage, Relative } from './listing-page-data.ts';

/** Rows on one side of a drawing; the list beneath has everybody. */
const MOST_LEAVES = 8;
/** Of them for other relations than descent. */
const MOST_RELATIONS = 4;

/** A drawing with how many ancestors and other origins, and descendants and others, have no place in it. */
export interface LineageDrawing extends FamilyDrawing {
  hiddenBefore: number;
  hiddenAfter: number;
}

/** Places a listing's family and its other relations from left to right around it. */
export function layOutLineage(page: ListingPage): LineageDrawing {
  const { ancestors, descendants, own, record } = page;
  const relatives = new Set([...ancestors, ...descendants].map(({ entry }) => entry.record.subjectId));
  const others = drawnRelations(page.relations.groups, page.subject.publicPath, relatives);
  const [before, after] = [others.before.slice(0, MOST_RELATIONS), others.after.slice(0, MOST_RELATIONS)];
  const isBetween = descendants.length > 0 || after.length > 0;
  const chain = ancestors.slice(0, isBetween ? 1 : 2);
  const generations = chain.length > 0 || before.length > 0 ? 1 : 2;
  const below = branchesBelow(page, record.agentId, generations, MOST_LEAVES - after.length);
  const self = { key: record.agentId, name: record.name, line: `this ${record.type}` };
  const drawing = placeFamily({
    self,
    before: tellApart([...chainOf(chain, own), ...before], record.name),
    after: tellApart([...below, ...after], record.name),
  });
  return {
    ...drawing,
    hiddenBefore: ancestors.length - chain.length + others.total.before - before.length,
    hiddenAfter: descendants.length - countOf(below) + others.total.after - after.length,
  };
}

/** Ancestors, nearest first, each beyond the one before; an edge is its child's. */
function chainOf(ancestors: readonly Relative[], own: Relative['entry']): Kin[] {
  return ancestors.reduceRight<Kin[]>((beyond, ancestor, index) => {
    const child = ancestors[index - 1]?.entry ?? own;
    return [{ ...toKin(ancestor, child, 'It is'), beyond }];
  }, []);
}

function branchesBelow(
  { descendants }: ListingPage,
  agentId: string,
  generations: number,
  mostLeaves: number,
): Kin[] {
  let leaves = 0;
  const below = (parentId: string, depth: number): Kin[] => {
    const branches: Kin[] = [];
    for (const relative of descendants.filter(({ entry }) => entry.parentId === parentId)) {
      if (leaves >= mostLeaves) break;
      const { entry } = relative;
      const beyond = depth < generations ? below(entry.record.agentId, depth + 1) : [];
      if (beyond.length === 0) leaves += 1;
      branches.push({ ...toKin(relative, entry, null), beyond });
    }
    return branches;
  };
  return below(agentId, 1);
}

/** A fork often has its parent's name: it is told by its place then. */
function tellApart(kin: readonly Kin[], own: string): Kin[] {
  return kin.map((each) => {
    const [owner, repository] = (each.path ?? '').split('/').slice(2).map(decodeURIComponent);
    const isSame = each.name === own && owner !== 'id' && repository !== undefined;
    const name = isSame ? `${owner}/${repository}` : each.name;
    return { ...each, name, beyond: tellApart(each.beyond, own) };
  });
}

function countOf(kin: readonly Kin[]): number {
  return kin.reduce((sum, { beyond }) => sum + 1 + countOf(beyond), 0);
}

/** `edge` is the one between the relative and its neighbour towards the page's own; `subject` is who descends. */
function toKin(
  { entry, link, verdict = null }: Relative,
  edge: Relative['entry'],
  subject: string | null,
): Kin {
  const { agentId, name, trust, confidence } = entry.record;
  const line =
    trust === null || confidence === null
      ? 'no score yet'
      : `trust ${formatTrust(trust)} · ${formatConfidence(confidence)}`;
  const word = toWords(edge.relation ?? '');
  const passed = `passes on ${formatScore(edge.trustEquityFlow)}`;
  const standing = edge.acknowledged ? 'acknowledged' : 'claimed';
  const figures = [line, ...(verdict === null ? [] : [verdictWord(verdict)])].join(', ');
  return {
    key: agentId,
    path: link.path,
    name,
    line,
    verdict,
    edgeKey: edge.record.agentId,
    label: `${word} ${formatScore(edge.trustEquityFlow)}`.trim(),
    claimed: !edge.acknowledged,
    equity: edge.trustEquityFlow,
    says:
      subject === null
        ? `${name}, ${word} it, ${standing}, ${passed}; ${figures}`
        : `${subject} ${word} ${name}, ${standing}, ${passed}; ${figures}`,
    beyond: [],
  };
}

/** What has no place in a drawing, in words; null where all has. */
export function sayHidden({ hiddenBefore, hiddenAfter }: LineageDrawing): string | null {
  const parts = [
    hiddenBefore > 0 && `${formatCount(hiddenBefore)} more ancestors or origins`,
    hiddenAfter > 0 && `${formatCount(hiddenAfter)} more descendants or copies`,
  ].filter((part) => part !== false);
  return parts.length === 0 ? null : `The list below has ${parts.join(' and ')}.`;
}
