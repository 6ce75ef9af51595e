import { ExternalLink, Fact, ForeignText, Moment, toWords } from '../../components/formatting.tsx';
import { ListingSteps, stepPath } from '../agents/listing-steps.tsx';
import { Breadcrumb, DateTime, DoneNotice, Notice } from '../frame/console-document.tsx';
import { ActionButton, Form, ProblemList, type Problems, readLine } from '../frame/fields.tsx';
import { hrefWith } from '../frame/filters.tsx';
import { LinkState, type ShownLink } from './identity.page.tsx';

interface LinkViewProps {
  link: ShownLink;
  /** True if the code expired before the account was proved. */
  isCodeExpired: boolean;
  /** Reason why the verification just failed; null otherwise. */
  failure: string | null;
  /** `AGT-` id of the listing that this proof claims; null if the proof is for the account alone. */
  listingId: string | null;
  query: URLSearchParams;
}

const DONE = { proved: 'Proved. Agents and skills of this account are now verified as yours.' };

/** Renders one linked account: the remaining steps and the state of its proof. */
export function LinkView({ link, isCodeExpired, failure, listingId, query }: LinkViewProps) {
  return (
    <>
      {listingId === null ? (
        <Breadcrumb href="/console/accounts">Identity</Breadcrumb>
      ) : (
        <Breadcrumb href={stepPath(listingId, 'Claim')}>Claim</Breadcrumb>
      )}
      <h1>
        <ForeignText>{link.handle}</ForeignText> on {link.host} <LinkState state={link.state} />
      </h1>
      {listingId !== null && <ListingSteps current="Claim" agentId={listingId} isClaimed={false} />}
      <DoneNotice query={query} sentences={DONE} />
      {failure !== null && <Notice bad={true}>{failure}</Notice>}
      {link.state !== 'pending' && <Proof link={link} />}
      {link.state !== 'proved' && link.code !== null && (
        <Steps link={link} isCodeExpired={isCodeExpired} listingId={listingId} />
      )}
      <p>
        <a class="button danger" href={`/console/accounts/${link.id}/remove`}>
          Unlink this account
        </a>
      </p>
    </>
  );
}

/** Shows the steps of a proof: copy the code, publish it, verify. */
function Steps({
  link,
  isCodeExpired,
  listingId,
}: Pick<LinkViewProps, 'link' | 'isCodeExpired' | 'listingId'>) {
  const { id, code, codeExpiresAt, instructions, host, handle } = link;
  if (isCodeExpired) {
    return (
      <section class="card narrow" aria-labelledby="steps">
        <h2 id="steps">The code has expired</h2>
        <p>A code works for 24 hours. Get a new code and replace the old one with it.</p>
        <Form action="/console/accounts">
          <input type="hidden" name="host" value={host} />
          <input type="hidden" name="handle" value={handle} />
          {listingId !== null && <input type="hidden" name="for" value={listingId} />}
          <button type="submit" class="primary">
            Get a new code
          </button>
        </Form>
      </section>
    );
  }
  return (
    <section class="card narrow" aria-labelledby="steps">
      <h2 id="steps">Prove that it is yours</h2>
      <ol class="steps">
        <li>
          <h3>Copy this code</h3>
          <div class="copy secret" data-copy="the code">
            <code>{code}</code>
          </div>
          {codeExpiresAt !== null && link.state === 'pending' && (
            <p class="muted small">
              Expires <DateTime at={codeExpiresAt} /> (UTC).
            </p>
          )}
        </li>
        <li>
          <h3>Publish it</h3>
          <p>{instructions}</p>
        </li>
        <li>
          <h3>Verify</h3>
          <ActionButton
            action={hrefWith(`/console/accounts/${id}/verify`, { for: listingId })}
            class="primary"
          >
            Check now
          </ActionButton>
        </li>
      </ol>
    </section>
  );
}

const KINDS: Readonly<Record<ShownLink['kind'], string>> = {
  repo_host: 'repository host',
  node_packages: 'npm packages',
  python_packages: 'Python packages',
  professional_network: 'professional network',
  social: 'social account',
  messaging: 'messaging account',
};

function Proof({ link }: { link: ShownLink }) {
  const { id, kind, state, provedAt, provedBy, hostAccountCreatedAt, checkedAt, checkFailedAt, countsUntil } =
    link;
  return (
    <section class="card narrow" aria-labelledby="proof">
      <h2 id="proof">The proof</h2>
      <dl>
        <Fact name="Kind">{KINDS[kind]}</Fact>
        <Fact name="Proved">
          {provedAt !== null && <Moment at={provedAt} />}
          {provedBy !== null &&
            ` by ${provedBy === 'code' ? 'a published code' : `the ${toWords(provedBy)}`}`}
        </Fact>
        <Fact name="Last good check">{checkedAt === null ? 'none' : <DateTime at={checkedAt} />}</Fact>
        {checkFailedAt !== null && (
          <Fact name="Last failed check">
            <span class="low">
              <DateTime at={checkFailedAt} />
            </span>
          </Fact>
        )}
        <Fact name={state === 'lapsed' ? 'Lapsed' : 'Counts until'}>
          {countsUntil !== null && <Moment at={countsUntil} />}
        </Fact>
        <Fact name="Account since">{hostAccountCreatedAt && <Moment at={hostAccountCreatedAt} />}</Fact>
        {link.evidenceUrl !== null && (
          <Fact name="Evidence">
            <ExternalLink href={link.evidenceUrl}>{link.evidenceUrl}</ExternalLink>
          </Fact>
        )}
      </dl>
      {link.code !== null && state === 'proved' && (
        <>
          <p class="muted small">
            Leave the code <code>{link.code}</code> where it is. It is checked every 30 days, and the proof
            lapses 60 days after the last good check.
          </p>
          <ActionButton action={`/console/accounts/${id}/verify`}>Check again now</ActionButton>
        </>
      )}
    </section>
  );
}

/** Asks for confirmation before an account is unlinked. */
export function UnlinkConfirmation({ link }: { link: ShownLink }) {
  return (
    <>
      <Breadcrumb href="/console/accounts">Identity</Breadcrumb>
      <h1>
        Unlink <ForeignText>{link.handle}</ForeignText> on {link.host}?
      </h1>
      <Form action={`/console/accounts/${link.id}/remove`} class="card narrow">
        {link.provedAt === null ? (
          <p>Its code stops working. You can link the account again at any time with a new code.</p>
        ) : (
          <p>
            Everything that this proof verifies becomes unverified immediately. Agents and skills that you
            received through it return to their previous texts, tags and creator. Listings that only you
            registered stay yours. To undo this, prove the account again.
          </p>
        )}
        <p class="row">
          <button type="submit" class="danger">
            Unlink it
          </button>
          <a href={`/console/accounts/${link.id}`}>Keep it linked</a>
        </p>
      </Form>
    </>
  );
}

/** Account on another site, as the form names it. */
export interface LinkForm {
  host: string;
  handle: string;
}

/** Reads the fields of a submitted form, or of a link's query that pre-fills the form. */
export function readLinkForm(form: URLSearchParams): LinkForm {
  return { host: readLine(form, 'host'), handle: readLine(form, 'handle') };
}

/** Validates a form without requests to the host. `isReadable` is true if this server can read accounts on the host. */
export function checkLinkForm({ handle }: LinkForm, isReadable: boolean): Problems {
  const list = new ProblemList();
  list.require(isReadable, 'host', 'Choose the host.');
  list.require(handle !== '', 'handle', 'Enter the account name.');
  list.require(
    handle.length <= 200 && /^@?[A-Za-z0-9._~-]*$/.test(handle),
    'handle',
    'The name may contain letters, digits, dots, hyphens, underscores and tildes, and may start with @.',
  );
  return list.problems;
}
