import type { SubjectType } from './subject-type.ts';

/** What a text points at, before any look at what is stored. Several readings of one text are told most exact first. */
type Address =
  | { kind: 'id'; id: string }
  | { kind: 'package'; label: string }
  | {
      kind: 'repository';
      host: string | null;
      repository: string;
      artifact: string | null;
      path: string | null;
    }
  | { kind: 'handle'; host: string | null; handle: string }
  | { kind: 'name'; name: string };

/** An address and, where the text says it (one of our own pages), the only type that it can mean. */
export type Reading = Address & { type?: SubjectType };
