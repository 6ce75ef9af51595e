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
            <p>Calls are refused when credits run out. You still owe the overage that you used this month.</p>
          </>
        ) : (
          <>
            <input type="hidden" name="cap" value={cap} />
            <p>
              When your free calls and credits run out, calls keep working, up to {formatCount(cap)} credits a
              month. They are owed: the operator bills them. It counts from now on, this month too, and you
              can end it at any time; what was used by then stays owed.
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
