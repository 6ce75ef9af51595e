/**
 * A value that stands in a path. Throws a `TypeError` for those that encoding can't keep in their place: an empty one,
 * and dots, which mean "here" and "one up" in every URL.
 */
export function pathSegment(value: string): string {
  if (/^\.*$/.test(value)) throw new TypeError(`"${value}" can't stand in a path.`);
  return value;
}
