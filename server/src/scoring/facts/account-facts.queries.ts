import type { AccountFacts, AccountKind, CrossLink, Observed } from '../fact-types.ts';
import { PROOF_SOURCE } from './creator-identity.ts';
import type { SubjectFacts } from './facts-kind.ts';
import { defineFactsKind } from './facts-kind.ts';

interface Row {
  id: string;
  type: 'social_account' | 'messaging_account';
  name: string;
  now: string;
  kind: AccountKind;
  verifiedMark: boolean | null;
  accountCreatedAt: string | null;
  audience: number | null;
  audienceDayGrowth: number | null;
  engagement: number | null;
  lastPostAt: string | null;
  crossLink: CrossLink | null;
  scamFlag: boolean | null;
  observedAt: string;
  source: string;
  /** Time of the latest check of the account's proof; null without a valid proof. */
  provedAt: string | null;
}

const SQL = {
  subject: 's.id, s.type, s.name, a.source',
  columns: `a.kind, a.verified_mark AS "verifiedMark",
  utc_text(a.account_created_at) AS "accountCreatedAt", a.audience::float8 AS audience,
  a.audience_day_growth AS "audienceDayGrowth", a.engagement, utc_text(a.last_post_at) AS "lastPostAt",
  a.cross_link AS "crossLink", a.scam_flag AS "scamFlag",
  utc_text(coalesce(a.observed_at, a.updated_at)) AS "observedAt",
  (SELECT utc_text(max(p.checked_at)) FROM linked_account k JOIN proved_account p ON p.account_id = k.account_id
    AND p.kind = k.kind AND p.host = k.host AND p.handle = k.handle
    WHERE k.subject_id = s.id AND k.proved_at IS NOT NULL AND k.removed_at IS NULL) AS "provedAt"`,
  tables: 'JOIN platform_account a ON a.subject_id = s.id',
};

/**
 * Reads the facts of social and messaging accounts by subject id. All facts of an account have the time at which its
 * profile was observed; if this time is unknown, the time at which its row was updated. Only the proof has a time of
 * its own. Subjects of other types are omitted.
 */
export const ACCOUNT_FACTS = defineFactsKind(SQL, subjectFactsOf);

function subjectFactsOf(row: Row): SubjectFacts<AccountFacts> {
  const { id, type, name, kind, observedAt, source } = row;
  const seen = <Value>(value: Value | null): Observed<Value> | null =>
    value === null ? null : { value, observedAt, source };
  return {
    subject: { id, type, name, repository: null },
    facts: {
      kind,
      ...(row.provedAt !== null && {
        proved: { value: true, observedAt: row.provedAt, source: PROOF_SOURCE },
      }),
      verifiedMark: seen(row.verifiedMark),
      accountCreatedAt: seen(row.accountCreatedAt),
      audience: seen(row.audience),
      audienceDayGrowth: seen(row.audienceDayGrowth),
      engagement: seen(row.engagement),
      lastPostAt: seen(row.lastPostAt),
      crossLink: seen(row.crossLink),
      scamFlag: seen(row.scamFlag),
    },
    now: new Date(row.now),
  };
}
