interface MaybeProcess {
  process?: { env?: Record<string, string | undefined> };
}

/** What the environment says. Undefined where that is empty, reading it isn't allowed, or there is no process. */
export function fromEnvironment(variable: string): string | undefined {
  try {
    return (globalThis as MaybeProcess).process?.env?.[variable] || undefined;
  } catch {
    return undefined; // Deno throws where reading the environment is not allowed.
  }
}
