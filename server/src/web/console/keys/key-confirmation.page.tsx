import type { KeyRecord } from '../../../access/keys/key-fields.ts';
import { Breadcrumb } from '../frame/console-document.tsx';
import type { Problems } from '../frame/console-response.ts';
import { Form, ProblemSummary } from '../frame/fields.tsx';
import { KeyFacts, KeyName, StateChip } from './key-facts.tsx';
import { ExpiryField, NameField } from './new-key.page.tsx';

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
