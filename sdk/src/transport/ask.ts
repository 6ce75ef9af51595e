import { type CallTrace, HookError } from '../errors/errors.ts';

/**
 * Calls a function that the program gave under this name, if it gave one, and waits for it. If that fails, it throws a
 * {@link HookError}, without the words of the failure in its message, as they may contain the key.
 */
export async function ask(
  owner: object | undefined,
  hook: string,
  trace: CallTrace,
  what?: unknown,
): Promise<unknown> {
  try {
    return await (owner as Record<string, ((...of: unknown[]) => unknown) | undefined> | undefined)?.[hook]?.(
      what,
      trace,
    );
  } catch (cause) {
    throw new HookError(`${hook} failed.`, {
      ...trace,
      hook,
      cause,
      failure: what instanceof Error ? what : undefined,
    });
  }
}
