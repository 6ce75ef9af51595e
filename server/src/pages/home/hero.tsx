import { formatAge, formatCount } from '../../ui/text.tsx';
import { LIST_PATH } from '../list/page-query.ts';
import type { Counted, HomePage } from './home-page-data.ts';

/** What this is for somebody who has never heard of it, the search, and how much there is. */
export function Hero({ page }: { page: HomePage }) {
  return (
    <section class="hero" aria-label="Search">
      <h1>Check an AI agent before you use it</h1>
      <p class="lead muted">Who made it, what it is built on, and how much of that can be verified.</p>
      <search>
        <form class="finder" action={LIST_PATH} method="get">
          <input
            type="search"
            name="q"
            maxLength={200}
            data-suggest
            aria-label="Search agents, skills and creators"
            aria-keyshortcuts="/"
            placeholder="A name, owner/repository, address or id"
          />
          <button type="submit" class="primary">
            Check
          </button>
        </form>
      </search>
      <Facts page={page} />
    </section>
  );
}

function Facts({ page }: { page: HomePage }) {
  const { total, verified, creators, artifacts, checkedAt, addedAt, now } = page;
  if (total === 0) return null;
  return (
    <ul class="meta">
      <li>
        <b>{formatCount(total)}</b> agents and skills
      </li>
      {verified > 0 && (
        <li>
          <b>{formatCount(verified)}</b> with a verified owner
        </li>
      )}
      <li>
        <b>{formatCounted(creators)}</b> creators
      </li>
      {artifacts.count > 0 && (
        <li>
          plus <b>{formatCounted(artifacts)}</b> {artifacts.count === 1 ? 'skill' : 'skills'} inside those
          repositories
        </li>
      )}
      {checkedAt !== null ? (
        <li>
          Refreshed <b>{formatSince(checkedAt, now)}</b>
        </li>
      ) : (
        addedAt !== null && (
          <li>
            Updated <b>{formatSince(addedAt, now)}</b>
          </li>
        )
      )}
    </ul>
  );
}

function formatCounted({ count, isMore }: Counted): string {
  return `${isMore ? 'more than ' : ''}${formatCount(count)}`;
}

const HOUR_MS = 3_600_000;

/** How long before `now` something was: hours count on the first day. */
function formatSince(at: string, now: string): string {
  const hours = Math.floor((Date.parse(now) - Date.parse(at)) / HOUR_MS);
  if (hours < 1) return 'less than an hour ago';
  if (hours >= 24) return formatAge(at, now);
  return hours === 1 ? '1 hour ago' : `${hours} hours ago`;
}
