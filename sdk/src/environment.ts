interface MaybeProcess {
  process?: { env?: Record<string, string | undefined> };
}

/** A variable of the process's environment. Undefined where it is empty, may not be read, or there is no process. */
export function environmentVariable(name: string): string | undefined {
  try {
    return (globalThis as MaybeProcess).process?.env?.[name] || undefined;
  } catch {
    return undefined; // Deno throws where reading the environment is not allowed.
  }
}
