import type { Agent, Lineage } from '@trust-directory/sdk';
import type { Example } from './example.ts';
import { scoreText } from './score-text.ts';
import { escaped, svg } from './svg.ts';

const ROW = 44;
const COLUMN = 36;
const BOX = { width: 280, height: 34 };

interface Placed {
  entry: Agent;
  column: number;
  /** The row of the parent; null for the oldest. */
  parentRow: number | null;
}

/** Prints the ancestors and descendants of an entry (first argument: its directory id) as an SVG picture. */
export const lineagePicture: Example = async (client, print, id = '') => {
  print(picture(await client.agents.lineage(id)));
};

/** Draws one box per row, each under its parent and further to the right; the entry itself has a thick border. */
export function picture(lineage: Lineage): string {
  const rows = placed(lineage);
  const columns = Math.max(...rows.map(({ column }) => column));
  const shapes = rows.map(({ entry, column, parentRow }, row) => {
    const x = 8 + column * COLUMN;
    const y = 8 + row * ROW;
    const middle = y + BOX.height / 2;
    const line =
      parentRow === null
        ? ''
        : `<path d="M${x - COLUMN / 2} ${8 + parentRow * ROW + BOX.height}V${middle}H${x}" fill="none" stroke="#777"/>`;
    const border = entry.id === lineage.root.id ? 3 : 1;
    const score = scoreText(entry.trustScore, entry.confidence);
    return `${line}<rect x="${x}" y="${y}" width="${BOX.width}" height="${BOX.height}" rx="4" fill="#fff" stroke="#333" stroke-width="${border}"/><text x="${x + 8}" y="${y + 14}" font-weight="bold">${escaped(entry.name)}</text><text x="${x + 8}" y="${y + 28}">${score}</text>`;
  });
  const width = 16 + columns * COLUMN + BOX.width;
  return svg(width, 16 + rows.length * ROW, `Lineage of ${lineage.root.name}`, shapes.join(''));
}

function placed({ root, ancestors, descendants }: Lineage): Placed[] {
  const rows: Placed[] = [];
  const line = [...ancestors.map(({ agent }) => agent).reverse(), root];
  for (const [column, entry] of line.entries()) {
    rows.push({ entry, column, parentRow: column === 0 ? null : column - 1 });
  }
  const place = (parent: Agent, column: number, parentRow: number) => {
    for (const { agent, parentId } of descendants) {
      if ((parentId ?? root.id) !== parent.id) continue;
      rows.push({ entry: agent, column, parentRow });
      place(agent, column + 1, rows.length - 1);
    }
  };
  place(root, line.length, line.length - 1);
  return rows;
}
