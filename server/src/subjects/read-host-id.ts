/** A repository by the id that its host gave it, which stays when it is renamed. */
export interface HostId {
  host: string;
  /** Digits. */
  id: string;
}

/** What people come by: the hosts' API addresses, which some hosts redirect by, and `host:id/…` as accounts have it here. */
const SHAPES: readonly (readonly [shape: RegExp, host: (match: string) => string])[] = [
  [/^(?:https?:\/\/)?api\.(github\.com)\/repositories\/(\d+)\/?$/, (host) => host],
  [/^(?:https?:\/\/)?(?:www\.)?(gitlab\.com)\/(?:api\/v4\/)?projects\/(\d+)\/?$/, (host) => host],
  [/^(?:https?:\/\/)?(codeberg\.org)\/api\/v1\/repositories\/(\d+)\/?$/, (host) => host],
  [/^(github|gitlab|codeberg):id\/(\d+)$/, (name) => (name === 'codeberg' ? 'codeberg.org' : `${name}.com`)],
  [/^((?:[a-z0-9-]+\.)+[a-z0-9-]+):id\/(\d+)$/, (host) => host],
];
/** Ids are numbers of 64 bits. */
const MOST_DIGITS = 19;

/** The host's id that a text is; null for any other text. */
export function readHostId(text: string): HostId | null {
  const asked = text.trim().toLowerCase();
  for (const [shape, hostOf] of SHAPES) {
    const [, named, id] = shape.exec(asked) ?? [];
    if (named !== undefined && id !== undefined && id.length <= MOST_DIGITS)
      return { host: hostOf(named), id };
  }
  return null;
}
