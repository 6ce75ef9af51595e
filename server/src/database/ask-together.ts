/**
 * Asks one question at a time for everybody who wants to know: an answer is of a question that was sent after it was asked
 * for, never of one that was under way already.
 */
export function askTogether<Answer>(ask: () => Promise<Answer>): () => Promise<Answer> {
  let underWay: Promise<Answer> | null = null;
  let next: Promise<Answer> | null = null;

  function send(): Promise<Answer> {
    next = null;
    const asked = ask();
    underWay = asked;
    const end = () => {
      if (underWay === asked) underWay = null;
    };
    asked.then(end, end);
    return asked;
  }

  return () => {
    if (underWay === null) return send();
    next ??= underWay.then(send, send);
    return next;
  };
}
