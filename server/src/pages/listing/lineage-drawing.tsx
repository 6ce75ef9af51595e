import { formatCount, formatScore } from '../../ui/text.tsx';
import { type DrawnNode, layOutLineage, NODE } from './lineage-layout.ts';
import type { ListingPage } from './listing-page-data.ts';

/** A family from left to right; every box but the page's own leads to its page. */
export function LineageDrawing({ page }: { page: ListingPage }) {
  const { width, height, nodes, edges, hiddenBefore, hiddenAfter } = layOutLineage(page);
  const more = [
    hiddenBefore > 0 && `${formatCount(hiddenBefore)} more before`,
    hiddenAfter > 0 && `${formatCount(hiddenAfter)} more after`,
  ].filter(Boolean);
  return (
    <>
      <div class="scroll">
        <svg class="family" viewBox={`0 0 ${width} ${height}`} width={width}>
          <title>Lineage, from left to right</title>
          {edges.map(({ key, claimed, path }) => (
            <path key={key} class={claimed ? 'edge claimed' : 'edge'} d={path} />
          ))}
          {edges.map(({ key, equity, labelX, labelY }) => (
            <text key={key} class="equity" x={labelX} y={labelY} text-anchor="end">
              {formatScore(equity)}
            </text>
          ))}
          {nodes.map((node) => (
            <Node key={node.key} node={node} />
          ))}
        </svg>
      </div>
      {more.length > 0 && <p class="muted small">{more.join(', ')}: in the list below.</p>}
    </>
  );
}

function Node({ node: { path, name, shownName, line, x, y } }: { node: DrawnNode }) {
  const box = (
    <>
      <title>{name}</title>
      <rect
        class={path === null ? 'node self' : 'node'}
        x={x}
        y={y}
        width={NODE.width}
        height={NODE.height}
        rx="8"
      />
      <text class="name" x={x + 12} y={y + 20}>
        {shownName}
      </text>
      <text class="sub" x={x + 12} y={y + 37}>
        {line}
      </text>
    </>
  );
  return path === null ? <g>{box}</g> : <a href={path}>{box}</a>;
}
