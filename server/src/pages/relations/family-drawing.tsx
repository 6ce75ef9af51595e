import { VerdictShape } from '../../ui/verdict-mark.tsx';
import { type FamilyDrawing as Drawing, type DrawnEdge, type DrawnNode, NODE } from './family-layout.ts';

/**
 * A family from left to right; every box that has a page leads to it, in reading order. Those who hear it are told each
 * relation in words with its box.
 */
export function FamilyDrawing({ drawing, title }: { drawing: Drawing; title: string }) {
  const { width, height, nodes, edges } = drawing;
  const lines = new Map(edges.map((edge) => [edge.farKey, edge]));
  return (
    <div class="scroll">
      <svg class="family" viewBox={`0 0 ${width} ${height}`} width={width}>
        <title>{title}</title>
        {edges.map(({ key, claimed, path }) => (
          <path key={key} class={claimed ? 'edge claimed' : 'edge'} d={path} />
        ))}
        {nodes.map((node) => (
          <Node key={node.key} node={node} edge={lines.get(node.key)} />
        ))}
      </svg>
    </div>
  );
}

/** A box with the words on its line; its title tells the relation whole, to who hears it and to who points at it. */
function Node({ node, edge }: { node: DrawnNode; edge: DrawnEdge | undefined }) {
  const { path, name, shownName, line, verdict, says, x, y } = node;
  const box = (
    <>
      <title>{says ?? name}</title>
      <rect
        class={says === null ? 'node self' : 'node'}
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
      {edge && (
        <text class="equity" x={edge.labelX} y={edge.labelY} text-anchor={edge.anchor}>
          {edge.label}
        </text>
      )}
      {verdict !== null && (
        <svg
          class={`mark verdict ${verdict}`}
          x={x + NODE.width - 26}
          y={y + 8}
          width="15"
          height="15"
          viewBox="0 0 16 16"
          aria-hidden="true"
        >
          <VerdictShape state={verdict} />
        </svg>
      )}
    </>
  );
  if (path === null) return <g>{box}</g>;
  return <a href={path}>{box}</a>;
}
