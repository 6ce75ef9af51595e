import type { Readable } from 'node:stream';
import type { ComponentChildren } from 'preact';
import { CONSOLE_STYLE_PATH } from '../../components/assets.ts';
import { ForeignText, formatDay } from '../../components/formatting.tsx';
import { Layout, renderDocument } from '../../components/layout.tsx';
import { FormToken } from './fields.tsx';

/** Entries of the console's navigation. */
type Tab =
  | 'overview'
  | 'run'
  | 'usage'
  | 'receipts'
  | 'keys'
  | 'agents'
  | 'identity'
  | 'children'
  | 'plan'
  | 'session';

/** Page to show in the console's layout. */
export interface Page {
  title: string;
  /** Entry of the page in the navigation; null for none. */
  tab: Tab | null;
  content: ComponentChildren;
  /** HTTP status, 200 by default; another status if a form was rejected or an action failed. */
  status?: number;
}

/** Redirect after a form was processed, so that a reload does not submit it again. */
interface Redirect {
  redirectTo: string;
  /** True to clear the browser's session cookie. */
  endsSession?: true;
}

/** File for the browser to download. */
interface Download {
  fileName: string;
  mediaType: string;
  file: Readable;
}

/** Result of a request to the console. */
export type ConsoleResponse = Page | Redirect | Download;

const TABS: Readonly<Record<Tab, { path: string; text: string }>> = {
  overview: { path: '/console', text: 'Overview' },
  run: { path: '/console/run', text: 'Try a call' },
  usage: { path: '/console/usage', text: 'Usage' },
  receipts: { path: '/console/receipts', text: 'Receipts' },
  keys: { path: '/console/keys', text: 'Keys' },
  agents: { path: '/console/agents', text: 'Agents' },
  identity: { path: '/console/accounts', text: 'Identity' },
  children: { path: '/console/children', text: 'Built on your work' },
  plan: { path: '/console/plan', text: 'Plan' },
  session: { path: '/console/session', text: 'Session' },
};

/** Shows the console's navigation. */
function Tabs({ current }: { current: Tab | null }) {
  return (
    <nav class="tabs" aria-label="Console">
      {Object.entries(TABS).map(([tab, { path, text }]) => (
        <a key={tab} href={path} aria-current={tab === current ? 'page' : undefined}>
          {text}
        </a>
      ))}
    </nav>
  );
}

/** Renders a console page as an HTML document. The renderer escapes all texts. */
export function consoleDocument(
  { title, tab, content }: Page,
  formToken: string,
  signedIn: SignedIn | null,
): string {
  return renderDocument(
    <Layout
      title={`${title} · Console · Trust Directory`}
      current="console"
      unlisted={true}
      style={CONSOLE_STYLE_PATH}
    >
      <FormToken.Provider value={formToken}>
        <AccountMenu signedIn={signedIn} />
        <Tabs current={tab} />
        {content}
      </FormToken.Provider>
    </Layout>,
  );
}

/** Shows a success or a problem as a status message. */
export function Notice({ bad = false, children }: { bad?: boolean; children: ComponentChildren }) {
  return (
    <div class={bad ? 'notice bad' : 'notice'} role="status">
      {children}
    </div>
  );
}

/**
 * Confirms a completed action with one of the page's `sentences`. The parameter `done` of the URL's query chooses the
 * sentence; the parameter's own text is not shown.
 */
export function DoneNotice({
  query,
  sentences,
}: {
  query: URLSearchParams;
  sentences: Readonly<Record<string, string>>;
}) {
  const done = query.get('done') ?? '';
  if (!Object.hasOwn(sentences, done)) return null;
  return <Notice>{sentences[done]}</Notice>;
}

/** Account of the session. */
interface SignedIn {
  /** Handle; null until one is chosen. */
  handle: string | null;
  plan: string;
}

/** Shows the account menu, without a script. `signedIn` is null if the account could not be read. */
function AccountMenu({ signedIn }: { signedIn: SignedIn | null }) {
  const name = signedIn?.handle ?? 'Your account';
  return (
    <details class="account">
      <summary>
        <span class="hidden">Signed in as </span>
        <ForeignText>{name}</ForeignText>
      </summary>
      <ul>
        {signedIn !== null && (
          <li>
            <a href="/console/plan">Plan: {signedIn.plan}</a>
          </li>
        )}
        <li>
          <a href="/console/handle">{signedIn?.handle ? 'Handle' : 'Choose a handle'}</a>
        </li>
        <li>
          <a href="/console/session">Session</a>
        </li>
        <li>
          <a href="/sign-out">Sign out</a>
        </li>
      </ul>
    </details>
  );
}

const TIME = new Intl.DateTimeFormat('en-GB', {
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  hourCycle: 'h23',
  timeZone: 'UTC',
});

/** Shows a time to the minute, in UTC, with the exact time in `datetime` and on hover. */
export function DateTime({ at }: { at: string }) {
  return (
    <time dateTime={at} title={at}>
      {formatInstant(at)}
    </time>
  );
}

/** Formats a time as day and minute in UTC, such as `21 Nov 2026, 09:14`. */
function formatInstant(at: string): string {
  const time = Date.parse(at);
  return Number.isNaN(time) ? formatDay(at) : TIME.format(time);
}

/** Shows a link to the parent page. */
export function Breadcrumb({ href, children }: { href: string; children: string }) {
  return (
    <p class="crumbs">
      <a href={href}>{children}</a>
    </p>
  );
}
