import { loadSampleSubjects, sampleOf } from '../../../directory/sample-subjects.ts';
import { loadCallContext } from '../../../operations/call-context.ts';
import { type OperationOutcome, runOperation } from '../../../operations/run-operation.ts';
import { type Candidate, DomainError, type ErrorCode } from '../../../platform/errors/domain-error.ts';
import type { ConsoleResponse, Page } from '../frame/console-document.tsx';
import type { ConsoleDependencies, ConsoleRouter, Visit } from '../frame/console-router.ts';
import { NO_PROBLEMS, type Problems, singleProblem, WHOLE_FORM } from '../frame/fields.tsx';
import {
  checkRunForm,
  type Quote,
  type RunForm,
  RunView,
  readRunForm,
  toOperationRequest,
} from './run.page.tsx';

const RUN = '/console/run';

/** Registers the page that runs a metered call, charged like any other, and shows its receipt. */
export function registerRunPages(router: ConsoleRouter, parts: ConsoleDependencies): void {
  router.get(RUN, (visit) => showForm(parts, readRunForm(visit.query), NO_PROBLEMS));
  router.post(RUN, RUN, (visit) => submitForm(parts, visit), 'metered');
}

async function submitForm(parts: ConsoleDependencies, visit: Visit): Promise<ConsoleResponse> {
  const form = readRunForm(visit.form);
  const problems = checkRunForm(form);
  if (problems.size > 0) return showForm(parts, form, problems, { status: 400 });
  try {
    return await answerTo(parts, form, await run(parts, visit, form));
  } catch (error) {
    const { problems: found, candidates } = toProblems(error);
    return showForm(parts, form, found, { status: (error as DomainError).status, candidates });
  }
}

async function run(
  { operations }: ConsoleDependencies,
  visit: Visit,
  form: RunForm,
): Promise<OperationOutcome> {
  return runOperation(
    operations,
    await loadCallContext(operations, visit.credential, toOperationRequest(form)),
  );
}

async function answerTo(
  parts: ConsoleDependencies,
  form: RunForm,
  outcome: OperationOutcome,
): Promise<ConsoleResponse> {
  if (outcome.kind === 'quote') return showForm(parts, form, NO_PROBLEMS, { quote: outcome });
  const isReplay = outcome.kind === 'replay';
  const ledgerId = isReplay ? outcome.run.ledgerId : outcome.ledgerId;
  return { redirectTo: `/console/receipts/${ledgerId}?done=${isReplay ? 'run-before' : 'run'}` };
}

/** Error codes that are shown at the subject field, because the call may succeed with another subject. */
const SUBJECT_ERRORS: readonly ErrorCode[] = ['subject_not_found', 'subject_ambiguous', 'subject_delisted'];
/** Error codes that are shown above the form, which the visitor can send again. */
const FORM_ERRORS: readonly ErrorCode[] = [
  'insufficient_credits',
  'idempotency_in_progress',
  'scoring_failed',
  'unavailable',
];

/** Maps an error to form problems; rethrows errors that the form cannot fix. */
function toProblems(error: unknown): { problems: Problems; candidates: readonly Candidate[] } {
  if (!(error instanceof DomainError)) throw error;
  const { code, message, details } = error;
  const { candidates = [] } = details;
  if (candidates.length > 0)
    return { problems: singleProblem('subject', 'Which one did you mean?'), candidates };
  if (SUBJECT_ERRORS.includes(code)) return { problems: singleProblem('subject', message), candidates };
  if (FORM_ERRORS.includes(code)) return { problems: singleProblem(WHOLE_FORM, message), candidates };
  throw error;
}

async function showForm(
  { database, planBook, publicUrls }: ConsoleDependencies,
  form: RunForm,
  problems: Problems,
  {
    quote = null,
    status = 200,
    candidates = [],
  }: { quote?: Quote | null; status?: number; candidates?: readonly Candidate[] } = {},
): Promise<Page> {
  const samples = await loadSampleSubjects(database, publicUrls);
  const isUntouched = form.subject === '' && problems.size === 0;
  const shown = isUntouched ? { ...form, subject: sampleOf(form.operation, samples) ?? '' } : form;
  const content = (
    <RunView
      form={shown}
      problems={problems}
      candidates={candidates}
      prices={planBook.prices}
      samples={samples}
      quote={quote}
      site={publicUrls.site.origin}
    />
  );
  return { title: 'Try a call', tab: 'run', status, content };
}
