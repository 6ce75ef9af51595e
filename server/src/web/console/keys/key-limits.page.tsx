import type { KeyLimits, KeyRecord } from '../../../access/keys/key-fields.ts';
import { setOwnKeyLimits } from '../../../billing/balance/key-limits.ts';
import { Breadcrumb, type ConsoleResponse, type Page } from '../frame/console-document.tsx';
import {
  type ConsoleDependencies,
  type ConsoleRouter,
  pathParameter,
  type Visit,
} from '../frame/console-router.ts';
import {
  Field,
  Form,
  NO_PROBLEMS,
  ProblemList,
  ProblemSummary,
  type Problems,
  readLine,
} from '../frame/fields.tsx';
import { KeyFacts, KeyName, StateChip } from './key-facts.tsx';
import { visitorKey } from './key-form.ts';

/** Limits as typed; empty for no limit. */
interface LimitForm {
  calls: string;
  credits: string;
}

const LIMITS = '/console/keys/:id/limits';
/** Largest limit, as in the API. */
const MOST = 1_000_000_000;

/** Registers the page that limits what a key may spend in a month. */
export function registerLimitPages(router: ConsoleRouter, parts: ConsoleDependencies): void {
  router.get(LIMITS, (visit) => showForm(parts, visit, null, NO_PROBLEMS));
  router.post(LIMITS, LIMITS, async (visit): Promise<ConsoleResponse> => {
    const typed = { calls: readLine(visit.form, 'calls'), credits: readLine(visit.form, 'credits') };
    const problems = checkLimits(typed);
    if (problems.size > 0) return showForm(parts, visit, typed, problems);
    const limits: KeyLimits = { calls: numberOf(typed.calls), credits: numberOf(typed.credits) };
    await setOwnKeyLimits(parts.database, visit.sessionId, pathParameter(visit, 'id'), limits);
    return { redirectTo: '/console/keys?done=limited' };
  });
}

function checkLimits({ calls, credits }: LimitForm): Problems {
  const list = new ProblemList();
  for (const [name, text] of Object.entries({ calls, credits })) {
    const isLimit = text === '' || (/^[0-9]{1,10}$/.test(text) && Number(text) <= MOST);
    list.require(
      isLimit,
      name,
      `Enter a whole number from 0 to ${MOST.toLocaleString('en')}, or leave it empty.`,
    );
  }
  return list.problems;
}

function numberOf(text: string): number | null {
  return text === '' ? null : Number(text);
}

async function showForm(
  parts: ConsoleDependencies,
  visit: Visit,
  typed: LimitForm | null,
  problems: Problems,
): Promise<Page> {
  const key = await visitorKey(parts, visit);
  const stored = { calls: `${key.monthly_calls ?? ''}`, credits: `${key.monthly_credits ?? ''}` };
  return {
    title: 'Limit a key',
    tab: 'keys',
    status: problems.size > 0 ? 400 : 200,
    content: <LimitFormView keyRecord={key} form={typed ?? stored} problems={problems} />,
  };
}

interface LimitFormProps {
  keyRecord: KeyRecord;
  form: LimitForm;
  problems: Problems;
}

/** Shows the form with the monthly limits of a key. */
function LimitFormView({ keyRecord, form, problems }: LimitFormProps) {
  return (
    <>
      <Breadcrumb href="/console/keys">Keys</Breadcrumb>
      <h1>Limit this key</h1>
      <ProblemSummary problems={problems} />
      <Form action={`/console/keys/${keyRecord.id}/limits`} class="card narrow">
        <p>
          <strong>
            <KeyName keyRecord={keyRecord} />
          </strong>{' '}
          <StateChip state={keyRecord.state} />
        </p>
        <KeyFacts keyRecord={keyRecord} />
        <LimitField
          name="calls"
          label="Calls a month"
          hint="All calls count, free ones too. Leave empty for no limit."
          value={form.calls}
          problems={problems}
        />
        <LimitField
          name="credits"
          label="Credits a month"
          hint="A free call takes no credits. Leave empty for no limit."
          value={form.credits}
          problems={problems}
        />
        <p>
          A call beyond a limit is refused and costs nothing. Limits start anew with each month (UTC). What
          the key has already spent this month counts.
        </p>
        <p class="row">
          <button type="submit" class="primary">
            Save the limits
          </button>
          <a href="/console/keys">Cancel</a>
        </p>
      </Form>
    </>
  );
}

function LimitField({
  value,
  ...field
}: {
  name: 'calls' | 'credits';
  label: string;
  hint: string;
  value: string;
  problems: Problems;
}) {
  return (
    <Field {...field} optional={true}>
      {(wiring) => (
        <input {...wiring} type="text" inputMode="numeric" value={value} maxLength={10} autoComplete="off" />
      )}
    </Field>
  );
}
