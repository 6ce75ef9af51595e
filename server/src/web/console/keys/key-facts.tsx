import type { KeyRecord } from '../../../access/keys/key-fields.ts';
import { ForeignText, Moment } from '../../components/formatting.tsx';
import { DateTime } from '../frame/console-document.tsx';

/** State of a key, derived from its expiry, pause and revocation. */
export type KeyState = KeyRecord['state'];

/** States of a key, usable ones first. */
export const KEY_STATES: readonly KeyState[] = ['active', 'inactive', 'expired', 'revoked'];

export const STATE_LABELS: Readonly<Record<KeyState, string>> = {
  active: 'active',
  inactive: 'paused',
  expired: 'expired',
  revoked: 'revoked',
};

const CHIPS: Readonly<Record<KeyState, string>> = {
  active: 'chip high',
  inactive: 'chip medium',
  expired: 'chip tag',
  revoked: 'chip tag',
};

export function StateChip({ state }: { state: KeyState }) {
  return <span class={CHIPS[state]}>{STATE_LABELS[state]}</span>;
}

/** Shows a key's name and the last four characters of its secret. */
export function KeyName({ keyRecord }: { keyRecord: Pick<KeyRecord, 'name' | 'last_four'> }) {
  return (
    <>
      <ForeignText>{keyRecord.name}</ForeignText> <span class="mono muted">…{keyRecord.last_four}</span>
    </>
  );
}

/** Describes the monthly limits of a key; empty if it has none. */
function limitText({ monthly_calls, monthly_credits }: KeyRecord): string {
  const limits = [
    ...(monthly_calls === null ? [] : [`${monthly_calls} calls`]),
    ...(monthly_credits === null ? [] : [`${monthly_credits} credits`]),
  ];
  return limits.length === 0 ? '' : ` · at most ${limits.join(' and ')} a month`;
}

/** Shows a key's scopes, limits, creation, last use and expiry. */
export function KeyFacts({ keyRecord }: { keyRecord: KeyRecord }) {
  const { scopes, created_at, expires_at, last_used_at, state } = keyRecord;
  return (
    <p class="muted small">
      {scopes.join(', ')}
      {limitText(keyRecord)}
      <br />
      {last_used_at === null ? 'never used' : 'used '}
      {last_used_at !== null && <DateTime at={last_used_at} />} ·{' '}
      <span class="together">
        created <Moment at={created_at} />
      </span>{' '}
      ·{' '}
      <span class="together">
        {expires_at === null ? 'does not expire' : state === 'expired' ? 'expired ' : 'expires '}
        {expires_at !== null && <Moment at={expires_at} />}
      </span>
    </p>
  );
}
