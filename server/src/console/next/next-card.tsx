import type { NextStep } from './next-steps.ts';

/** What to do next, why, and the way there. */
export function NextCard({ step }: { step: NextStep | null }) {
  return (
    <section class="card" aria-labelledby="next">
      <h2 id="next">What to do next</h2>
      {step === null ? (
        <p>
          You are all set. <a href="/console/register">Register another agent</a>, or look at{' '}
          <a href="/console/usage">your usage</a>.
        </p>
      ) : (
        <>
          <p>{step.why}</p>
          <p>
            <a class="button primary" href={step.path}>
              {step.text}
            </a>
          </p>
        </>
      )}
    </section>
  );
}
