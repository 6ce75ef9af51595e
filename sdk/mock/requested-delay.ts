/** Nobody prototypes a wait beyond the service's own deadline. */
const LONGEST_MS = 60_000;

/** A `Prefer` header without its delay, which Prism doesn't know. */
export interface Preference {
  /** Milliseconds to wait before the answer. */
  readonly delayMs: number;
  /** The rest of the header; undefined where nothing is left. */
  readonly prefer: string | undefined;
}

/** Takes `delay=<milliseconds>` out of a `Prefer` header; a delay that is no whole number counts as none. */
export function requestedDelay(header: string | undefined): Preference {
  const wishes = (header ?? '').split(',').map((wish) => wish.trim());
  const delays = wishes.map((wish) => /^delay\s*=\s*"?(\d+)"?$/i.exec(wish)?.[1]);
  const rest = wishes.filter((wish) => wish !== '' && !/^delay\s*=/i.test(wish));
  const delayMs = Math.min(Number(delays.find((each) => each !== undefined) ?? 0), LONGEST_MS);
  return { delayMs, prefer: rest.length > 0 ? rest.join(', ') : undefined };
}
