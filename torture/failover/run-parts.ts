import { BrokenPromise } from '../experiment.ts';

/** One part of a failover run, such as the control run with asynchronous replication. */
export interface Part {
  readonly title: string;
  run(): Promise<unknown>;
}

/**
 * Runs every part in turn, even after a failed one, because only the control run shows whether the results of the
 * others are reliable. Rejects at the end with all failures. After an interruption, rejects without further parts.
 */
export async function runParts(parts: readonly Part[], interrupted: AbortSignal): Promise<void> {
  const failures: { title: string; error: unknown }[] = [];
  for (const { title, run } of parts) {
    interrupted.throwIfAborted();
    await run().catch((error: unknown) => {
      interrupted.throwIfAborted();
      failures.push({ title, error });
    });
  }
  const [first] = failures;
  if (first === undefined) return;
  const said = failures.map(({ title, error }) => `${title} ${(error as Error).message}`).join('\n');
  // Any other error is a fault of the run itself, so show its stack.
  const odd = failures.find(({ error }) => !(error instanceof BrokenPromise));
  throw odd ? new Error(said, { cause: odd.error }) : new BrokenPromise(said);
}
