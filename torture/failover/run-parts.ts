import { BrokenPromise } from '../experiment.ts';

/** One part of a run, such as the control. */
export interface Part {
  readonly title: string;
  run(): Promise<unknown>;
}

/**
 * Runs every part in turn, also after one that failed, because the control says whether the others can be believed. Rejects at the end
 * with what failed. An interruption ends the run at once.
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
  // One that no promise broke over is a fault of the run itself: its stack says where.
  const odd = failures.find(({ error }) => !(error instanceof BrokenPromise));
  throw odd ? new Error(said, { cause: odd.error }) : new BrokenPromise(said);
}
