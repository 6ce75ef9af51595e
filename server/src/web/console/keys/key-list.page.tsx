import type { KeySlots } from '../../../access/keys/create-key.ts';
import type { KeyRecord } from '../../../access/keys/key-fields.ts';
import { Breadcrumb, DoneNotice, Notice } from '../frame/console-document.tsx';
import { ActionButton, Form, ProblemSummary, type Problems } from '../frame/fields.tsx';
import { KEY_STATES, KeyFacts, KeyName, type KeyState, STATE_LABELS, StateChip } from './key-facts.tsx';
import { ExpiryField, NameField } from './new-key.page.tsx';

/** One page of the keys that are in one state. */
export interface StateKeys {
  state: KeyState;
  keys: readonly KeyRecord[];
  nextCursor: string | null;
}

interface KeyListProps {
  states: readonly StateKeys[];
  slots: KeySlots;
  /** Requested state; null for active and paused keys. */
  asked: KeyState | null;
  query: URLSearchParams;
}

const DONE = {
  paused: 'The key is paused: it is refused until you resume it. Its slot is free.',
  resumed: 'The key works again.',
  revoked: 'The key is permanently revoked.',
  limited: 'The limits are saved. They hold for every call from now on.',
  'replaced-before':
    'This key is already revoked. If you have just replaced it, the new key is in this list; its secret was shown once. If you lost the secret, replace the new key.',
  'made-before':
    'This form has already created its key, and did not create a second one. The secret was shown once; if you lost it, replace the key.',
};

/** Renders the account's keys, with the actions of each. */
export function KeyList({ states, slots, asked, query }: KeyListProps) {
  const shown = states.filter(({ keys }) => keys.length > 0);
  return (
    <>
      <div class="head">
        <div>
          <h1>Access keys</h1>
          <p class="lead">Programs call the API with a key. Its secret is shown once, when you create it.</p>
        </div>
        <dl class="score">
          <div>
            <dt>
              of {slots.limit} active {slots.limit === 1 ? 'key' : 'keys'}
            </dt>
            <dd>{slots.taken}</dd>
          </div>
        </dl>
      </div>
      <DoneNotice query={query} sentences={DONE} />
      <StateLinks asked={asked} />
      <section class="card" aria-label={asked === null ? 'Keys in use' : `${STATE_LABELS[asked]} keys`}>
        <NewKey slots={slots} />
        {shown.length === 0 && (
          <p>
            {asked === null ? 'No key yet. Create one to call the API.' : `No key is ${STATE_LABELS[asked]}.`}
          </p>
        )}
        {shown.map((stretch) => (
          <KeysOfState key={stretch.state} stretch={stretch} />
        ))}
      </section>
    </>
  );
}

/** Shows links to the keys of each state. */
function StateLinks({ asked }: { asked: KeyState | null }) {
  return (
    <nav class="chips choices" aria-label="States">
      <a href="/console/keys" aria-current={asked === null ? 'true' : undefined}>
        in use
      </a>
      {KEY_STATES.map((state) => (
        <a
          key={state}
          href={`/console/keys?state=${state}`}
          aria-current={asked === state ? 'true' : undefined}
        >
          {STATE_LABELS[state]}
        </a>
      ))}
    </nav>
  );
}

function KeysOfState({ stretch: { state, keys, nextCursor } }: { stretch: StateKeys }) {
  return (
    <>
      <ul class="rows entries">
        {keys.map((key) => (
          <KeyRow key={key.id} keyRecord={key} />
        ))}
      </ul>
      {nextCursor !== null && (
        <p class="pages">
          <a class="button" rel="next" href={`/console/keys?state=${state}&cursor=${nextCursor}`}>
            Older {STATE_LABELS[state]} keys
          </a>
        </p>
      )}
    </>
  );
}

/** Shows the button that creates a key, or a text if the plan's limit of keys is reached. */
function NewKey({ slots: { plan, taken, limit } }: { slots: KeySlots }) {
  if (taken < limit) {
    return (
      <p class="row end">
        <a class="button primary" href="/console/keys/new">
          Create a key
        </a>
        <span class="muted small">
          {limit - taken === 1 ? 'One slot is' : `${limit - taken} slots are`} free on the {plan} plan.
        </span>
      </p>
    );
  }
  return (
    <Notice>
      The {plan} plan has {limit === 1 ? 'one active key' : `${limit} active keys`}, and no slot is free.
      Replace, pause or revoke a key to create another.
    </Notice>
  );
}

function KeyRow({ keyRecord }: { keyRecord: KeyRecord }) {
  const { id, name, state, last_four } = keyRecord;
  const path = `/console/keys/${id}`;
  const label = (verb: string) => `${verb} ${name} …${last_four}`;
  const [verb, action] = state === 'active' ? ['Pause', 'pause'] : ['Resume', 'resume'];
  return (
    <li>
      <div>
        <h2>
          <KeyName keyRecord={keyRecord} /> <StateChip state={state} />
        </h2>
        <KeyFacts keyRecord={keyRecord} />
      </div>
      {(state === 'active' || state === 'inactive') && (
        <div class="row actions">
          <ActionButton action={`${path}/${action}`} label={label(verb)}>
            {verb}
          </ActionButton>
          <a class="button" href={`${path}/limits`} aria-label={label('Limit')}>
            Limit
          </a>
          <a class="button" href={`${path}/replace`} aria-label={label('Replace')}>
            Replace
          </a>
          <a class="button danger" href={`${path}/revoke`} aria-label={label('Revoke')}>
            Revoke
          </a>
        </div>
      )}
    </li>
  );
}

function KeyCard({ keyRecord }: { keyRecord: KeyRecord }) {
  return (
    <>
      <p>
        <strong>
          <KeyName keyRecord={keyRecord} />
        </strong>{' '}
        <StateChip state={keyRecord.state} />
      </p>
      <KeyFacts keyRecord={keyRecord} />
    </>
  );
}

/** Asks for confirmation before a key is revoked. */
export function RevokeConfirmation({ keyRecord }: { keyRecord: KeyRecord }) {
  return (
    <>
      <Breadcrumb href="/console/keys">Keys</Breadcrumb>
      <h1>Revoke this key?</h1>
      <Form action={`/console/keys/${keyRecord.id}/revoke`} class="card narrow">
        <KeyCard keyRecord={keyRecord} />
        <p>
          Programs that use it are refused immediately. You cannot undo this. The receipts of its calls are
          kept.
        </p>
        <p class="row">
          <button type="submit" class="danger">
            Revoke the key
          </button>
          <a href="/console/keys">Cancel</a>
        </p>
      </Form>
    </>
  );
}

interface ReplaceQuestionProps {
  keyRecord: KeyRecord;
  name: string;
  expires: string;
  problems: Problems;
}

/** Asks for confirmation before a key is replaced. Creating the new key revokes the old one. */
export function ReplaceConfirmation({ keyRecord, name, expires, problems }: ReplaceQuestionProps) {
  const until = keyRecord.expires_at?.slice(0, 10);
  return (
    <>
      <Breadcrumb href="/console/keys">Keys</Breadcrumb>
      <h1>Replace this key?</h1>
      <ProblemSummary problems={problems} />
      <Form action={`/console/keys/${keyRecord.id}/replace`} class="card narrow">
        <KeyCard keyRecord={keyRecord} />
        <p>
          A new key with the same scopes replaces it. <strong>The old key stops working immediately</strong>,
          so be ready to give the new one to the programs that use it. You cannot undo this.
        </p>
        <NameField name={name} problems={problems} />
        <ExpiryField
          day={expires}
          problems={problems}
          hint={
            until
              ? `Must be ${until} or earlier, when the old key expires. Leave empty for the same day.`
              : 'Leave empty for no expiry, like the old key.'
          }
        />
        <p class="row">
          <button type="submit" class="danger">
            Replace the key
          </button>
          <a href="/console/keys">Cancel</a>
        </p>
      </Form>
    </>
  );
}
