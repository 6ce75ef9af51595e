import type { AccountKind } from '../config/account-kinds.ts';
import type { CodePlace } from '../hosts/host-account.ts';

/** What speaks for a proof. */
export type ProvedBy = 'code' | 'operator' | 'identity_provider';

/** How a link stands: `pending` waits for its code, `proved` counts, `lapsed` counts no more until it is checked again. */
type LinkState = 'pending' | 'proved' | 'lapsed';

/** An account elsewhere that an account here says is its own. Moments are ISO 8601 UTC. */
export interface LinkedAccount {
  id: string;
  accountId: string;
  kind: AccountKind;
  host: string;
  handle: string;
  state: LinkState;
  /** What the owner publishes; null where somebody else confirmed the account. */
  code: string | null;
  codeExpiresAt: string | null;
  codeExpired: boolean;
  provedAt: string | null;
  provedBy: ProvedBy | null;
  evidenceUrl: string | null;
  /** Where the code stood at the last good check; null without a code, or before this was noted. */
  codePlace: CodePlace | null;
  hostAccountId: string | null;
  hostAccountCreatedAt: string | null;
  checkedAt: string | null;
  checkFailedAt: string | null;
  /** Sixty days after the last good check. */
  countsUntil: string | null;
  createdAt: string;
}

/** The accounts that one person can link, of all kinds together: far more than anybody has. */
export const MOST_LINKS = 50;
