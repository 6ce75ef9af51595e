import { Resolver } from 'node:dns/promises';

/** Asks DNS for the TXT records of a name, each as the pieces that it came in. */
export type ResolveText = (name: string) => Promise<string[][]>;

/** Returns the TXT records of a name, each in one piece; none where DNS has none or gives no answer. */
export type TextRecords = (name: string) => Promise<string[]>;

const TIMEOUT_MS = 5_000;

/** Makes the reader of TXT records. By default it asks the system's resolver, for at most 5 seconds. */
export function createTextRecords(resolveText: ResolveText = resolveTextInTime): TextRecords {
  return async (name) => {
    const records = await resolveText(name).catch(() => []);
    return records.map((pieces) => pieces.join(''));
  };
}

async function resolveTextInTime(name: string): Promise<string[][]> {
  const resolver = new Resolver({ timeout: TIMEOUT_MS / 2, tries: 2 });
  const timer = setTimeout(() => resolver.cancel(), TIMEOUT_MS);
  return resolver.resolveTxt(name).finally(() => clearTimeout(timer));
}
