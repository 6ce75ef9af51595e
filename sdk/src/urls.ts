/** Fills a path of the contract and adds the query; what is `undefined` counts as left out. */
export type BuildUrl = (
  path: string,
  params: { readonly path?: Record<string, string> | undefined; readonly query?: object | undefined },
) => string;

/** Builds URLs below a base. Throws a `TypeError` for a value that would lead elsewhere. */
export const urlsAt =
  (baseUrl: string): BuildUrl =>
  (path, params) => {
    const filled = path.replace(/{(\w+)}/g, (_, name) => segmentOf(params.path?.[name] ?? ''));
    const query = Object.entries(params.query ?? {}).flatMap(([name, value]) =>
      value === undefined ? [] : [`${name}=${encodeURIComponent(value)}`],
    );
    return [baseUrl.replace(/\/$/, '') + filled, ...(query.length > 0 ? [query.join('&')] : [])].join('?');
  };

/** A value in its place in a path. Encoding can't keep empty ones and dots there, which mean "here" and "one up". */
function segmentOf(value: string): string {
  if (/^\.*$/.test(value)) throw new TypeError(`"${value}" is no id.`);
  return encodeURIComponent(value);
}
