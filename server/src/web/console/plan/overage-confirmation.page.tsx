import { formatCount } from '../../components/formatting.tsx';
import { Breadcrumb } from '../frame/date-time.tsx';
import { Form } from '../frame/fields.tsx';

/** Asks for confirmation before overage is allowed (`cap`) or ended (null). */
export function OverageConfirmation({ cap }: { cap: number | null }) {
  return (
    <>
      <Breadcrumb href="/console/plan">Plan</Breadcrumb>
      <h1>{cap === null ? 'End overage?' : `Allow ${formatCount(cap)} credits of overage a month?`}</h1>
      <Form action="/console/plan/overage" class="card narrow">
        {cap === null ? (
          <>
            <input type="hidden" name="enabled" value="no" />
            <p>Calls are refused when credits run out. You still owe the overage that you used this month.</p>
          </>
        ) : (
          <>
            <input type="hidden" name="cap" value={cap} />
            <p>
              When your free calls and credits run out, calls keep working, up to {formatCount(cap)} credits a
              month. The operator bills these credits. This starts now and includes this month. You can end it
              at any time; you still owe what you used until then.
            </p>
          </>
        )}
        <p class="row">
          <button type="submit" class={cap === null ? 'danger' : 'primary'}>
            {cap === null ? 'End overage' : 'Allow it'}
          </button>
          <a href="/console/plan">Cancel</a>
        </p>
      </Form>
    </>
  );
}
