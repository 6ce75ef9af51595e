import type { Naming } from '../../subjects/naming.ts';

/** Where the directory is, without a slash at its end. */
export function siteOf({ site }: Naming): string {
  return site.href.replace(/\/$/, '');
}

/** The whole address of one of our paths. */
export function absoluteAddress(path: string, naming: Naming): string {
  return `${siteOf(naming)}${path}`;
}
