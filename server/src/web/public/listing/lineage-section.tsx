import { ForeignText, formatCount, formatScore, toWords } from '../../components/formatting.tsx';
import { verdictLabel } from '../../components/score-figures.tsx';
import {
  type FamilyLayout,
  figuresLine,
  layOutFamily,
  type RelativeBox,
  relationBoxes,
} from '../relations/family-layout.ts';
import { FamilyDrawing } from '../relations/relations.page.tsx';
import { CopySummary, RelationsList } from '../relations/relations-list.tsx';
import type { ListingPage, Relative } from './listing.page.tsx';

/** Maximum number of relatives in a list that is unfolded at first. Phones show only the list, not the drawing. */
const MAX_UNFOLDED_RELATIVES = 12;

/** Shows a listing's origins and derivatives, as a drawing on wide screens and as a list. */
export function LineageSection({ page }: { page: ListingPage }) {
  const { ancestors, descendants, moreDescendants, relations, subject } = page;
  const { groups } = relations;
  const isAlone = ancestors.length + descendants.length + groups.length === 0;
  const shown = ancestors.length + descendants.length + groups.flatMap((group) => group.shown).length;
  return (
    <section class="card" aria-labelledby="lineage">
      <h2 id="lineage">Lineage</h2>
      {isAlone ? (
        <p>
          No known parents or forks. Anyone who registers work that is built on this can name it as the
          parent.
        </p>
      ) : (
        <>
          <CopySummary relations={relations} own={subject.id} />
          <div class="wide-only">
            <Drawing page={page} />
          </div>
          <details open={shown <= MAX_UNFOLDED_RELATIVES}>
            <summary>As a list</summary>
            <FamilyList page={page} />
            {moreDescendants && (
              <p class="small">
                <a href={`/api/agents/${page.record.agentId}/lineage`}>The API</a> lists more descendants.
              </p>
            )}
            {groups.length > 0 && <RelationsList groups={groups} />}
          </details>
          <p class="muted small">
            Older work is on the left. A dashed line is a claim or an inference.
            {ancestors.length + descendants.length > 0 &&
              " A solid line is acknowledged by the parent's creator, or has the same creator on both ends. The figure on a line is the trust that the parent passes on."}{' '}
            No line is an endorsement.
          </p>
        </>
      )}
    </section>
  );
}

function Drawing({ page }: { page: ListingPage }) {
  const drawing = layOutLineage(page);
  const hidden = describeHidden(drawing);
  return (
    <>
      <FamilyDrawing drawing={drawing} title={`Lineage of ${page.record.name}`} />
      {hidden !== null && <p class="muted small">{hidden}</p>}
    </>
  );
}

function FamilyList({ page }: { page: ListingPage }) {
  const { ancestors, descendants, ownEntry: own, record } = page;
  return (
    <>
      {ancestors.length > 0 && (
        <>
          <h3>Ancestors, nearest first</h3>
          <ol class="tree">
            {ancestors.map((relative, index) => (
              <li key={relative.link.path}>
                <RelativeLine relative={relative} edge={ancestors[index - 1]?.entry ?? own} />
              </li>
            ))}
          </ol>
        </>
      )}
      {descendants.length > 0 && (
        <>
          <h3>Descendants</h3>
          <Descendants relatives={descendants} parentId={record.agentId} generations={4} />
        </>
      )}
    </>
  );
}

interface DescendantsProps {
  relatives: readonly Relative[];
  parentId: string;
  /** Number of further generations to show; bounded, because narrow screens have no room to indent more. */
  generations: number;
}

function Descendants({ relatives, parentId, generations }: DescendantsProps) {
  const children = relatives.filter(({ entry }) => entry.parentId === parentId);
  if (children.length === 0 || generations === 0) return null;
  return (
    <ul class="tree">
      {children.map((relative) => (
        <li key={relative.link.path}>
          <RelativeLine relative={relative} edge={relative.entry} />
          <Descendants
            relatives={relatives}
            parentId={relative.entry.record.agentId}
            generations={generations - 1}
          />
        </li>
      ))}
    </ul>
  );
}

/** Shows a relative. `edge` connects the relative to the next one towards the page's subject. */
function RelativeLine({ relative, edge }: { relative: Relative; edge: Relative['entry'] }) {
  return (
    <>
      <a href={relative.link.path}>
        <ForeignText>{relative.link.text}</ForeignText>
      </a>{' '}
      <span class="muted small">
        {toWords(edge.relation ?? '')}, {edge.acknowledged ? 'acknowledged' : 'claimed'}, passes on{' '}
        {formatScore(edge.trustEquityFlow)}
      </span>
    </>
  );
}

/** Maximum rows on the right side of the drawing; the list below shows more. */
const MAX_ROWS = 8;

/** Maximum rows on one side for relations other than descent. */
const MAX_RELATION_ROWS = 4;

/** A drawing, with the number of relatives that it omits on each side. */
export interface LineageDrawing extends FamilyLayout {
  hiddenBefore: number;
  hiddenAfter: number;
}

/** Lays out a listing's ancestors, descendants and other relations from left to right. */
export function layOutLineage(page: ListingPage): LineageDrawing {
  const { ancestors, descendants, ownEntry: own, record } = page;
  const relatives = new Set([...ancestors, ...descendants].map(({ entry }) => entry.record.subjectId));
  const others = relationBoxes(page.relations.groups, page.subject.publicPath, relatives);
  const [before, after] = [
    others.before.slice(0, MAX_RELATION_ROWS),
    others.after.slice(0, MAX_RELATION_ROWS),
  ];
  const isBetween = descendants.length > 0 || after.length > 0;
  const chain = ancestors.slice(0, isBetween ? 1 : 2);
  const generations = chain.length > 0 || before.length > 0 ? 1 : 2;
  const below = branchesBelow(page, record.agentId, generations, MAX_ROWS - after.length);
  const self = { key: record.agentId, name: record.name, line: `this ${record.type}` };
  const drawing = layOutFamily({
    self,
    before: distinguishNames([...chainOf(chain, own), ...before], record.name),
    after: distinguishNames([...below, ...after], record.name),
  });
  return {
    ...drawing,
    hiddenBefore: ancestors.length - chain.length + others.total.before - before.length,
    hiddenAfter: descendants.length - countOf(below) + others.total.after - after.length,
  };
}

/**
 * Nests the boxes of ancestors, which are given nearest first. The box of a parent is behind the box of its child, and has
 * the label and the figures of the edge between them.
 */
function chainOf(ancestors: readonly Relative[], own: Relative['entry']): RelativeBox[] {
  return ancestors.reduceRight<RelativeBox[]>((beyond, ancestor, index) => {
    const child = ancestors[index - 1]?.entry ?? own;
    return [{ ...toBox(ancestor, child, 'It is'), beyond }];
  }, []);
}

function branchesBelow(
  { descendants }: ListingPage,
  agentId: string,
  generations: number,
  maxLeaves: number,
): RelativeBox[] {
  let leaves = 0;
  const below = (parentId: string, depth: number): RelativeBox[] => {
    const branches: RelativeBox[] = [];
    for (const relative of descendants.filter(({ entry }) => entry.parentId === parentId)) {
      if (leaves >= maxLeaves) break;
      const { entry } = relative;
      const beyond = depth < generations ? below(entry.record.agentId, depth + 1) : [];
      if (beyond.length === 0) leaves += 1;
      branches.push({ ...toBox(relative, entry, null), beyond });
    }
    return branches;
  };
  return below(agentId, 1);
}

/** Replaces names that equal the subject's by owner/repository, because a fork often keeps its parent's name. */
function distinguishNames(kin: readonly RelativeBox[], own: string): RelativeBox[] {
  return kin.map((each) => {
    const [owner, repository] = (each.path ?? '').split('/').slice(2).map(decodeURIComponent);
    const isSame = each.name === own && owner !== 'id' && repository !== undefined;
    const name = isSame ? `${owner}/${repository}` : each.name;
    return { ...each, name, beyond: distinguishNames(each.beyond, own) };
  });
}

function countOf(kin: readonly RelativeBox[]): number {
  return kin.reduce((sum, { beyond }) => sum + 1 + countOf(beyond), 0);
}

/**
 * Converts a relative to a box. `edge` connects the relative to the next box towards the page's own subject. `subject` is the
 * beginning of the sentence about an ancestor. It is null for a descendant, because its sentence begins with its name.
 */
function toBox(
  { entry, link, verdict = null }: Relative,
  edge: Relative['entry'],
  subject: string | null,
): RelativeBox {
  const { agentId, name, trust, confidence, reasons } = entry.record;
  const line = figuresLine(trust, confidence, reasons) ?? 'no score yet';
  const word = toWords(edge.relation ?? '');
  const passed = `passes on ${formatScore(edge.trustEquityFlow)}`;
  const standing = edge.acknowledged ? 'acknowledged' : 'claimed';
  const figures = [line, ...(verdict === null ? [] : [verdictLabel(verdict)])].join(', ');
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

/** Describes the relatives that the drawing omits; null if it omits none. */
function describeHidden({ hiddenBefore, hiddenAfter }: LineageDrawing): string | null {
  const parts = [
    hiddenBefore > 0 && `${formatCount(hiddenBefore)} more ancestors or origins`,
    hiddenAfter > 0 && `${formatCount(hiddenAfter)} more descendants or copies`,
  ].filter((part) => part !== false);
  return parts.length === 0 ? null : `The list below has ${parts.join(' and ')}.`;
}
