import type { presentLinkedAccount } from '../../../ownership/proofs/linked-accounts.presenter.ts';
import { ForeignText, Moment } from '../../components/formatting.tsx';
import { type ShownClaims, WaitingClaims } from '../agents/claim.page.tsx';
import { DoneNotice } from '../frame/console-document.tsx';
import { Field, Form, ProblemSummary, type Problems } from '../frame/fields.tsx';
import type { LinkForm } from './linked-account.page.tsx';

/** A linked account in the API's format. */
export type ShownLink = ReturnType<typeof presentLinkedAccount>;

interface LinkListProps {
  handle: string | null;
  links: readonly ShownLink[];
  claims: ShownClaims;
  hosts: readonly string[];
  form: LinkForm;
  /** `AGT-` id of the listing that the visitor wants to claim with the new proof; null for none. */
  listingId: string | null;
  problems: Problems;
  query: URLSearchParams;
}

const DONE = {
  removed:
    'The account is unlinked. Its listings are no longer verified, and have the content that they had before the proof.',
};

/** Renders the identity page: the handle, and accounts on other sites with their proofs. */
export function LinkList({ handle, links, claims, hosts, form, listingId, problems, query }: LinkListProps) {
  return (
    <>
      <h1>Identity</h1>
      <p class="lead">
        Prove that an account on another site is yours. You are then verified, and so are the agents and
        skills in its repositories.
      </p>
      <DoneNotice query={query} sentences={DONE} />
      <div class="grid">
        <div class="stack">
          <HandleCard handle={handle} />
          <section class="card" aria-labelledby="linked">
            <h2 id="linked">Linked accounts</h2>
            {links.length === 0 ? (
              <p>None yet. Add one, publish the code there, then verify.</p>
            ) : (
              <ul class="rows entries">
                {links.map((link) => (
                  <LinkRow key={link.id} link={link} />
                ))}
              </ul>
            )}
          </section>
          <WaitingClaims claims={claims} />
        </div>
        <div class="stack">
          <LinkAnother hosts={hosts} form={form} listingId={listingId} problems={problems} />
        </div>
      </div>
    </>
  );
}

function HandleCard({ handle }: { handle: string | null }) {
  return (
    <section class="card" aria-labelledby="handle-card">
      <h2 id="handle-card">Your handle</h2>
      {handle === null ? (
        <p class="row apart">
          No handle yet. Your listings appear under your handle.
          <a class="button primary" href="/console/handle">
            Choose your handle
          </a>
        </p>
      ) : (
        <p class="row apart">
          <strong>
            <ForeignText>{handle}</ForeignText>
          </strong>
          <a href="/console/handle">Change the handle</a>
        </p>
      )}
    </section>
  );
}

type LinkAnotherProps = Pick<LinkListProps, 'hosts' | 'form' | 'listingId' | 'problems'>;

function LinkAnother({ hosts, form, listingId, problems }: LinkAnotherProps) {
  const isUnknown = form.host !== '' && !hosts.includes(form.host);
  return (
    <section class="card" aria-labelledby="link-another">
      <h2 id="link-another">Link an account</h2>
      <ProblemSummary problems={problems} />
      {isUnknown && (
        <p class="notice">
          This server cannot check accounts on <ForeignText>{form.host}</ForeignText>. Ask the operator to
          confirm yours.
        </p>
      )}
      <Form action="/console/accounts">
        {listingId !== null && <input type="hidden" name="for" value={listingId} />}
        <Field name="host" label="Host" problems={problems}>
          {(wiring) => (
            <select {...wiring} required>
              <option value="">Choose…</option>
              {hosts.map((host) => (
                <option key={host} value={host} selected={host === form.host}>
                  {host}
                </option>
              ))}
            </select>
          )}
        </Field>
        <Field name="handle" label="Account name" problems={problems}>
          {(wiring) => (
            <input
              {...wiring}
              type="text"
              value={form.handle}
              maxLength={201}
              required
              autoComplete="off"
              autoCapitalize="none"
            />
          )}
        </Field>
        <button type="submit" class="primary">
          Get a code
        </button>
      </Form>
      <p class="note">
        For a personal account, put the code into its profile text, or into a file of a public repository.
      </p>
      <p class="note">
        For an organisation, group or workspace, put it into the profile text, or into a DNS TXT record of the
        domain that the profile names. A file is not enough, because any member can change it.
      </p>
      <p class="note">If neither is possible, ask the operator to confirm the account.</p>
    </section>
  );
}

const STATES = {
  pending: { text: 'waiting for verification', class: 'chip medium' },
  proved: { text: 'proved', class: 'chip high' },
  lapsed: { text: 'lapsed', class: 'chip low' },
} as const;

/** Shows the state of a linked account. */
export function LinkState({ state }: Pick<ShownLink, 'state'>) {
  return <span class={STATES[state].class}>{STATES[state].text}</span>;
}

function LinkRow({ link }: { link: ShownLink }) {
  const { id, host, handle, state, checkedAt, countsUntil, codeExpiresAt } = link;
  const path = `/console/accounts/${id}`;
  return (
    <li>
      <div>
        <h3>
          <a href={path}>
            <ForeignText>{handle}</ForeignText> on {host}
          </a>{' '}
          <LinkState state={state} />
        </h3>
        <p class="muted small">
          {state === 'pending' && codeExpiresAt !== null && (
            <>
              code valid until <Moment at={codeExpiresAt} />
            </>
          )}
          {checkedAt !== null && (
            <>
              checked <Moment at={checkedAt} />
            </>
          )}
          {countsUntil !== null && (
            <>
              {' '}
              ·{' '}
              <span class="together">
                {state === 'lapsed' ? 'lapsed' : 'counts until'} <Moment at={countsUntil} />
              </span>
            </>
          )}
        </p>
      </div>
      <div class="row actions">
        <a
          class="button"
          href={path}
          aria-label={`${state === 'pending' ? 'Continue with' : 'Details of'} ${handle} on ${host}`}
        >
          {state === 'pending' ? 'Continue' : 'Details'}
        </a>
        <a class="button danger" href={`${path}/remove`} aria-label={`Unlink ${handle} on ${host}`}>
          Unlink
        </a>
      </div>
    </li>
  );
}
