import type { TextRange } from '../../../directory/search/locate-terms.ts';
import { ForeignText } from '../../components/formatting.tsx';

interface MarkedTextProps {
  text: string;
  /** Parts to mark, in order, without overlap. */
  marks: readonly TextRange[];
}

/** Shows a foreign text with some of its parts marked. */
export function MarkedText({ text, marks }: MarkedTextProps) {
  let end = 0;
  const parts = marks.map(({ from, to }) => {
    const before = text.slice(end, from);
    end = to;
    return (
      <>
        {before}
        <mark key={from}>{text.slice(from, to)}</mark>
      </>
    );
  });
  return (
    <ForeignText>
      {parts}
      {text.slice(end)}
    </ForeignText>
  );
}
