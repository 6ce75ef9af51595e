/** Creates a barrier that lets all parties continue once the last one has reached it. */
export function createBarrier(parties: number): () => Promise<void> {
  let missing = parties;
  let open: () => void;
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return () => {
    missing -= 1;
    if (missing === 0) open();
    return opened;
  };
}
