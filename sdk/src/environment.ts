interface MaybeProcess {
  process?: { env?: Record<string, string | undefined> };
}

/**
 * The environment variable `TRUST_DIRECTORY_…` of this name. Undefined where it is empty, may not be read, or there is no
 * process.
 */
export function environmentVariable(name: string): string | undefined {
  try {
    return (globalThis as MaybeProcess).process?.env?.[`TRUST_DIRECTORY_${name}`] || undefined;
  } catch {
    return undefined; // Deno throws where reading the environment is not allowed.
  }
}
