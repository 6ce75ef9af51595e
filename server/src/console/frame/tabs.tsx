import type { Tab } from './answer.ts';

const TABS: readonly { tab: Tab; path: string; text: string }[] = [
  { tab: 'overview', path: '/console', text: 'Overview' },
  { tab: 'run', path: '/console/run', text: 'Try a call' },
  { tab: 'usage', path: '/console/usage', text: 'Usage' },
  { tab: 'receipts', path: '/console/receipts', text: 'Receipts' },
  { tab: 'keys', path: '/console/keys', text: 'Keys' },
  { tab: 'agents', path: '/console/agents', text: 'Agents' },
  { tab: 'identity', path: '/console/accounts', text: 'Identity' },
  { tab: 'children', path: '/console/children', text: 'Built on your work' },
  { tab: 'plan', path: '/console/plan', text: 'Plan' },
  { tab: 'session', path: '/console/session', text: 'Session' },
];

/** The way to every part of the console. */
export function Tabs({ current }: { current: Tab | null }) {
  return (
    <nav class="tabs" aria-label="Console">
      {TABS.map(({ tab, path, text }) => (
        <a key={tab} href={path} aria-current={tab === current ? 'page' : undefined}>
          {text}
        </a>
      ))}
    </nav>
  );
}
