import type { KeyRecord } from '../../keys/key.ts';
import { Foreign, Moment } from '../../ui/text.tsx';
import { Instant } from '../frame/moments.tsx';
import { type KeyState, STATE_WORDS } from './key-states.ts';

const CHIPS: Readonly<Record<KeyState, string>> = {
  active: 'chip high',
  inactive: 'chip medium',
  expired: 'chip tag',
  revoked: 'chip tag',
};

/** A key's state as a word. */
export function StateChip({ state }: { state: KeyState }) {
  return <span class={CHIPS[state]}>{STATE_WORDS[state]}</span>;
}

/** A key's name and the end of its secret: all that is left of it to show. */
export function KeyName({ keyRecord }: { keyRecord: Pick<KeyRecord, 'name' | 'last_four'> }) {
  return (
    <>
      <Foreign>{keyRecord.name}</Foreign> <span class="mono muted">…{keyRecord.last_four}</span>
    </>
  );
}

/** What a key may do, since when it is there, when it was used and until when it works. */
export function KeyFacts({ keyRecord }: { keyRecord: KeyRecord }) {
  const { scopes, created_at, expires_at, last_used_at, state } = keyRecord;
  return (
    <p class="muted small">
      {scopes.join(', ')}
      <br />
      {last_used_at === null ? 'never used' : 'used '}
      {last_used_at !== null && <Instant at={last_used_at} />} ·{' '}
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
