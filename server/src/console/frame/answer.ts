import type { Readable } from 'node:stream';
import type { ComponentChildren } from 'preact';

/** The entries of the console's own navigation. */
export type Tab =
  | 'overview'
  | 'run'
  | 'usage'
  | 'receipts'
  | 'keys'
  | 'agents'
  | 'identity'
  | 'children'
  | 'plan'
  | 'session';

/** A page to show. */
export interface Page {
  title: string;
  /** Which entry of the navigation it belongs to; null for none. */
  tab: Tab | null;
  content: ComponentChildren;
  /** 200 unless said otherwise: what a form that was not taken is shown with. */
  status?: number;
}

/** Where to go instead: after a form was taken, so that a reload does nothing twice. */
interface Redirect {
  redirectTo: string;
  /** The browser is to forget its session. */
  endsSession?: true;
}

/** A file to keep. */
interface Download {
  fileName: string;
  mediaType: string;
  file: Readable;
}

/** What a visit comes to. */
export type Answer = Page | Redirect | Download;
