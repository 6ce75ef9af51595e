import { formatCount } from '../../ui/text.tsx';
import { Crumbs } from '../frame/crumbs.tsx';
import { Form } from '../frame/form.tsx';

/** Asks before overage is allowed or ended; null ends it. */
export function OverageQuestion({ cap }: { cap: number | null }) {
  return (
    <>
      <Crumbs href="/console/plan">Plan</Crumbs>
      <h1>{cap === null ? 'End overage?' : `Allow ${formatCount(cap)} credits of overage a month?`}</h1>
      <Form action="/console/plan/overage" class="card narrow">
        {cap === null ? (
          <>
            <input type="hidden" name="enabled" value="no" />
            <p>
              Calls are refused as soon as everything else is spent. What was used of this month’s overage
              stays owed.
            </p>
          </>
        ) : (
          <>
            <input type="hidden" name="cap" value={cap} />
            <p>
              When your free calls and all your credits are spent, calls go on, up to {formatCount(cap)}{' '}
              credits a month. They are owed: the operator bills them. It counts from now on, this month too,
              and you can end it at any time; what was used by then stays owed.
            </p>
          </>
        )}
        <p class="row">
          <button type="submit" class={cap === null ? 'danger' : 'primary'}>
            {cap === null ? 'End overage' : 'Allow it'}
          </button>
          <a href="/console/plan">Leave it as it is</a>
        </p>
      </Form>
    </>
  );
}
