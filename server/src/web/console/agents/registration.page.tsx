import { CATEGORIES } from '../../../catalog/listings/listing-row.ts';
import { type AgentRecord, agentVerdict } from '../../../directory/agents/agent-record.ts';
import type { ListedAgent } from '../../../directory/lists/link-agents.ts';
import { isDefaultScore } from '../../../scoring/verdict/verdict.ts';
import { BadgeCard, type BadgeFigures } from '../../components/badge-drawing.tsx';
import { ForeignText } from '../../components/formatting.tsx';
import { Breadcrumb, DoneNotice } from '../frame/console-document.tsx';
import { Field, Form, FormId, ProblemSummary, type Problems } from '../frame/fields.tsx';
import { ListingSteps, stepPath } from './listing-steps.tsx';
import { MAX_DESCRIPTION_LENGTH, MAX_TAGS, type RegistrationForm } from './registration-form.ts';

interface FieldsProps {
  form: RegistrationForm;
  problems: Problems;
  hosts: readonly string[];
}

interface RegistrationViewProps extends FieldsProps {
  /** True if the account has chosen a handle. */
  hasHandle: boolean;
}

/** Renders the registration page: what registration does, and the form. */
export function RegistrationView({ hasHandle, ...fields }: RegistrationViewProps) {
  return (
    <>
      <Breadcrumb href="/console/agents">Agents</Breadcrumb>
      <h1>Register an agent or skill</h1>
      <ListingSteps current="Register" agentId={null} isClaimed={false} />
      {!hasHandle ? (
        <>
          <p class="lead">Listings appear under your creator handle. Choose a handle first.</p>
          <p>
            <a class="button primary" href="/console/handle">
              Choose your handle
            </a>
          </p>
        </>
      ) : (
        <>
          <p class="lead">
            Your listing appears under your handle. Once you have{' '}
            <a href="/console/accounts">proved the account</a> that owns the repository, it is verified, and
            an existing listing of it becomes yours.
          </p>
          <ProblemSummary problems={fields.problems} />
          <RegistrationFields {...fields} />
        </>
      )}
    </>
  );
}

const TYPES = [
  ['agent', 'Agent'],
  ['skill', 'Skill'],
  ['', 'Keep the existing type'],
] as const;

const ANY_OF = new Intl.ListFormat('en-GB', { type: 'disjunction' });

function RegistrationFields({ form, problems, hosts }: FieldsProps) {
  return (
    <Form action="/console/register" class="card narrow">
      <FormId id={form.formId} />
      <Field
        name="repoHostUrl"
        label="Address of the repository"
        hint={`An https address on ${ANY_OF.format(hosts)}.`}
        problems={problems}
      >
        {(wiring) => (
          <input
            {...wiring}
            type="text"
            inputMode="url"
            value={form.repoHostUrl}
            maxLength={512}
            required
            placeholder="https://github.com/owner/name"
          />
        )}
      </Field>
      <div class="pair">
        <Field name="type" label="Type" problems={problems}>
          {(wiring) => (
            <select {...wiring}>
              {TYPES.map(([value, text]) => (
                <option key={value} value={value} selected={value === form.type}>
                  {text}
                </option>
              ))}
            </select>
          )}
        </Field>
        <Field name="category" label="Category" problems={problems}>
          {(wiring) => (
            <select {...wiring} required>
              <option value="">Choose…</option>
              {CATEGORIES.map((category) => (
                <option key={category} value={category} selected={category === form.category}>
                  {category}
                </option>
              ))}
            </select>
          )}
        </Field>
      </div>
      <Field name="name" label="Name" problems={problems}>
        {(wiring) => <input {...wiring} type="text" value={form.name} maxLength={100} required />}
      </Field>
      <Field
        name="description"
        label="Description"
        hint={`One or two sentences, at most ${MAX_DESCRIPTION_LENGTH} characters.`}
        problems={problems}
      >
        {(wiring) => (
          <textarea {...wiring} rows={3} maxLength={MAX_DESCRIPTION_LENGTH} required>
            {form.description}
          </textarea>
        )}
      </Field>
      <Field
        name="tags"
        label="Tags"
        optional={true}
        hint={`Separated by commas, at most ${MAX_TAGS}.`}
        problems={problems}
      >
        {(wiring) => <input {...wiring} type="text" value={form.tags} maxLength={500} />}
      </Field>
      <Field
        name="parentId"
        label="Based on"
        optional={true}
        hint="The id of the parent listing, such as AGT-7K2MX9QD. The link is a claim until the creator of the parent acknowledges it."
        problems={problems}
      >
        {(wiring) => (
          <input {...wiring} type="text" value={form.parentId} maxLength={12} autoComplete="off" />
        )}
      </Field>
      <p class="row">
        <button type="submit" class="primary">
          Register
        </button>
      </p>
    </Form>
  );
}

interface BadgeViewProps {
  agent: ListedAgent;
  site: string;
  query: URLSearchParams;
}

const DONE = { claimed: 'Claimed. The listing is now verified, which raises its score.' };

/** Renders the last step of a registration: the listing's badge, with code to paste. */
export function BadgeView({ agent: { record, path }, site, query }: BadgeViewProps) {
  const { agentId, name, type, verified } = record;
  return (
    <>
      <Breadcrumb href="/console/agents">Agents</Breadcrumb>
      <h1>
        Badge of <ForeignText>{name}</ForeignText>
      </h1>
      <ListingSteps current="Badge" agentId={agentId} isClaimed={verified} />
      <DoneNotice query={query} sentences={DONE} />
      <p class="lead">Paste it into the README, so that visitors of the repository see its verdict.</p>
      <BadgeCard type={type} id={agentId} score={badgeOf(record)} publicPath={path} site={site} />
      <p class="row">
        <a class="button" href={path}>
          View its page
        </a>
        {!verified && <a href={stepPath(agentId, 'Claim')}>Claim it first</a>}
      </p>
    </>
  );
}

function badgeOf(record: AgentRecord): BadgeFigures | null {
  const { trust, confidence } = record;
  const verdict = agentVerdict(record);
  if (verdict === null || trust === null || confidence === null) return null;
  const { state, reasons } = verdict;
  return { trust, confidence, verdict: state, restsOnDefaults: isDefaultScore(confidence, reasons) };
}
