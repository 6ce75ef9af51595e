import { loadSampleSubjects, sampleOf } from '../../directory/sample-subjects.ts';
import { type Candidate, DomainError, type ErrorCode } from '../../domain-error.ts';
import { identifyCall } from '../../operations/identify-call.ts';
import { type OperationOutcome, runOperation } from '../../operations/run-operation.ts';
import type { ConsoleParts } from '../console-parts.ts';
import type { Answer, Page } from '../frame/answer.ts';
import type { ConsoleRouter } from '../frame/console-router.ts';
import { NONE, type Problems, problemOf, WHOLE } from '../frame/problems.ts';
import type { Visit } from '../frame/visit.ts';
import { checkRunForm, type RunForm, readRunForm, requestOf } from './run-form.ts';
import { type Quote, RunView } from './run-view.tsx';

const RUN = '/console/run';

/** One metered call from the console: tried with a real subject, charged like any other, its receipt shown. */
export function registerRunPages(router: ConsoleRouter, parts: ConsoleParts): void {
  router.show(RUN, (visit) => showForm(parts, readRunForm(visit.query), NONE));
  router.take(RUN, RUN, (visit) => takeForm(parts, visit), 'metered');
}

async function takeForm(parts: ConsoleParts, visit: Visit): Promise<Answer> {
  const form = readRunForm(visit.form);
  const problems = checkRunForm(form);
  if (problems.size > 0) return showForm(parts, form, problems, { status: 400 });
  try {
    return await answerTo(parts, form, await run(parts, visit, form));
  } catch (error) {
    const { problems: found, candidates } = explain(error);
    return showForm(parts, form, found, { status: (error as DomainError).status, candidates });
  }
}

async function run({ operations }: ConsoleParts, visit: Visit, form: RunForm): Promise<OperationOutcome> {
  return runOperation(operations, await identifyCall(operations, visit.credential, requestOf(form)));
}

async function answerTo(parts: ConsoleParts, form: RunForm, outcome: OperationOutcome): Promise<Answer> {
  if (outcome.kind === 'quote') return showForm(parts, form, NONE, { quote: outcome });
  const isReplay = outcome.kind === 'replay';
  const ledgerId = isReplay ? outcome.run.ledgerId : outcome.ledgerId;
  return { redirectTo: `/console/receipts/${ledgerId}?done=${isReplay ? 'run-before' : 'run'}` };
}

/** Failures that another subject mends. */
const OF_SUBJECT: readonly ErrorCode[] = ['subject_not_found', 'subject_ambiguous', 'subject_delisted'];
/** Failures that are told on the form, which can be sent again. */
const OF_FORM: readonly ErrorCode[] = [
  'insufficient_credits',
  'idempotency_in_progress',
  'scoring_failed',
  'unavailable',
];

/** Throws on what the form can't mend. */
function explain(error: unknown): { problems: Problems; candidates: readonly Candidate[] } {
  if (!(error instanceof DomainError)) throw error;
  const { code, message, details } = error;
  const { candidates = [] } = details;
  if (candidates.length > 0) return { problems: problemOf('subject', 'Which one did you mean?'), candidates };
  if (OF_SUBJECT.includes(code)) return { problems: problemOf('subject', message), candidates };
  if (OF_FORM.includes(code)) return { problems: problemOf(WHOLE, message), candidates };
  throw error;
}

async function showForm(
  { database, planBook, naming }: ConsoleParts,
  form: RunForm,
  problems: Problems,
  {
    quote = null,
    status = 200,
    candidates = [],
  }: { quote?: Quote | null; status?: number; candidates?: readonly Candidate[] } = {},
): Promise<Page> {
  const samples = await loadSampleSubjects(database, naming);
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
      site={naming.site.origin}
    />
  );
  return { title: 'Try a call', tab: 'run', status, content };
}
