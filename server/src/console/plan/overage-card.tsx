import { formatCount } from '../../ui/text.tsx';
import { Field } from '../frame/fields.tsx';
import type { Problems } from '../frame/problems.ts';

interface OverageCardProps {
  plan: string;
  /** Credits a month that the plan allows at most; 0 where it has no overage. */
  most: number;
  /** Credits a month that the account agreed to; 0 for none. */
  agreed: number;
  cap: string;
  problems: Problems;
}

/** The agreement on overage, and the first step of changing it. */
export function OverageCard({ plan, most, agreed, cap, problems }: OverageCardProps) {
  return (
    <section class="card" aria-labelledby="overage">
      <h2 id="overage">Overage</h2>
      {most === 0 ? (
        <p>Keeps calls working when credits run out. Not on the {plan} plan.</p>
      ) : (
        <>
          <p>Keeps calls working when credits run out; the operator bills them.</p>
          <p>
            {agreed > 0 ? (
              <>
                Allowed up to <strong>{formatCount(agreed)} credits</strong> a month.
              </>
            ) : (
              'Off: calls are refused when credits run out.'
            )}
          </p>
          <form action="/console/plan/overage" method="get">
            <Field
              name="cap"
              label={agreed > 0 ? 'Another cap' : 'Allow, up to'}
              hint={`Must be 1 to ${formatCount(most)} credits a month.`}
              problems={problems}
            >
              {(wiring) => (
                <input
                  {...wiring}
                  type="text"
                  inputMode="numeric"
                  value={cap === '' ? String(agreed || most) : cap}
                  maxLength={13}
                  required
                />
              )}
            </Field>
            <button type="submit">{agreed > 0 ? 'Change the cap…' : 'Allow overage…'}</button>
          </form>
          {agreed > 0 && (
            <p>
              <a href="/console/plan/overage?enabled=no">End overage…</a>
            </p>
          )}
        </>
      )}
    </section>
  );
}
