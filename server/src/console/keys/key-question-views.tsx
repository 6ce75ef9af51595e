import type { KeyRecord } from '../../keys/key.ts';
import { Crumbs } from '../frame/crumbs.tsx';
import { ProblemSummary } from '../frame/fields.tsx';
import { Form } from '../frame/form.tsx';
import type { Problems } from '../frame/problems.ts';
import { KeyFacts, KeyName, StateChip } from './key-facts.tsx';
import { ExpiryField, NameField } from './key-form-view.tsx';

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

/** Asks before a key is revoked. */
export function RevokeQuestion({ keyRecord }: { keyRecord: KeyRecord }) {
  return (
    <>
      <Crumbs href="/console/keys">Keys</Crumbs>
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

/** Asks before a key is replaced: the new one is made as the old one is revoked. */
export function ReplaceQuestion({ keyRecord, name, expires, problems }: ReplaceQuestionProps) {
  const until = keyRecord.expires_at?.slice(0, 10);
  return (
    <>
      <Crumbs href="/console/keys">Keys</Crumbs>
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
