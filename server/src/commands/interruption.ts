/** How a command ends that was told to stop and can go on later. */
export const INTERRUPTED = 130;

/** Aborted by the first Ctrl-C or SIGTERM: the batch under way is finished, then the command ends. */
export function interruption(): AbortSignal {
  const controller = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => controller.abort());
  return controller.signal;
}
