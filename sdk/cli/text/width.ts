const SEGMENTER = new Intl.Segmenter(undefined, { granularity: 'grapheme' });

/** Matches characters of two columns: East Asian wide and fullwidth ones, and emoji. */
const WIDE =
  /\p{Emoji_Presentation}|[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]|[\u{20000}-\u{3fffd}]/u;

/** Returns the columns of a text on a terminal. The text must not contain control characters. */
export function widthOf(text: string): number {
  if (/^[ -~]*$/.test(text)) return text.length;
  let width = 0;
  for (const { segment } of SEGMENTER.segment(text)) width += widthOfCharacter(segment);
  return width;
}

function widthOfCharacter(character: string): number {
  if (/^[\p{M}]+$/u.test(character)) return 0;
  return WIDE.test(character) ? 2 : 1;
}

/** Wraps a text at a number of columns, between words if possible. */
export function wrap(text: string, columns: number): string[] {
  const limit = Math.max(columns, 2);
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ').filter((each) => each !== '')) {
    const together = line === '' ? word : `${line} ${word}`;
    if (widthOf(together) <= limit) {
      line = together;
      continue;
    }
    if (line !== '') lines.push(line);
    const pieces = brokenUp(word, limit);
    line = pieces.pop() ?? '';
    lines.push(...pieces);
  }
  return line === '' && lines.length > 0 ? lines : [...lines, line];
}

function brokenUp(word: string, columns: number): string[] {
  if (widthOf(word) <= columns) return [word];
  const pieces: string[] = [];
  let piece = '';
  for (const { segment } of SEGMENTER.segment(word)) {
    if (piece !== '' && widthOf(piece + segment) > columns) {
      pieces.push(piece);
      piece = '';
    }
    piece += segment;
  }
  return [...pieces, piece];
}

/** Pads a text with spaces to a number of columns. */
export function padded(text: string, columns: number): string {
  return text + ' '.repeat(Math.max(0, columns - widthOf(text)));
}
