/** A link to a page of ours. */
export interface PageLink {
  path: string;
  text: string;
}
