import type { Contribution } from '../../scoring/scoring-backend.ts';
import { Meter } from '../../ui/meter.tsx';
import { Age, Foreign, formatScore, toWords } from '../../ui/text.tsx';
import { isOfRepository } from './repository-signals.ts';
import type { ScoreDetail } from './score-detail.ts';
import { describeSeen, nameOfSignal } from './signal-words.ts';
import { type SubjectPlaces, sourceOf } from './sources.ts';
import { whyMissing } from './unseen.ts';

interface SignalRowProps {
  contribution: Contribution;
  points: number;
  score: ScoreDetail;
  places: SubjectPlaces;
}

/** One signal: what was found, where and how long ago, and what it came to. */
export function SignalRow({ contribution, points, score, places }: SignalRowProps) {
  const { signal, status, value, weight, reason } = contribution;
  const isSeen = status === 'observed' && value !== null;
  const name = nameOfSignal(signal);
  return (
    <tr class={isSeen ? undefined : 'muted'}>
      <th scope="row">
        {name ?? <Foreign>{toWords(signal)}</Foreign>}{' '}
        {places.partOf !== null && isOfRepository(contribution, score.facts) && (
          <span class="chip tag">repository</span>
        )}
        <span class="note small-only">weight {weight}</span>
        <Source contribution={contribution} places={places} readAt={score.readAt} />
      </th>
      <td>
        <Foreign>{foundOf(contribution, score, places)}</Foreign>
        {/* Our own signals say it in their words. */}
        {reason !== null && !isSeen && (name === null || status === 'not_applicable') && (
          <span class="note">
            <Foreign>{reason}</Foreign>
          </span>
        )}
      </td>
      <td class="wide-only">
        {status === 'not_applicable' ? <span class="note">not counted</span> : <Meter value={value} />}
      </td>
      <td class="n wide-only">{weight}</td>
      <td class="n">{isSeen ? formatScore(points) : '–'}</td>
    </tr>
  );
}

function foundOf(contribution: Contribution, score: ScoreDetail, { host }: SubjectPlaces): string {
  const { signal, status, value } = contribution;
  if (status === 'not_applicable') return 'not applicable';
  if (status === 'observed' && value !== null) {
    return describeSeen(signal, score.facts) ?? `${Math.round(value * 100)} of 100`;
  }
  return nameOfSignal(signal) === null ? 'missing' : whyMissing(contribution, score.contributions, host);
}

/** Where a fact comes from, as a link to look for oneself, and how long ago it was seen. */
function Source({
  contribution: { source, observedAt, signal },
  places,
  readAt,
}: Pick<SignalRowProps, 'contribution' | 'places'> & { readAt: string }) {
  if (source === null || observedAt === null) return null;
  const { text, href } = sourceOf(source, signal, places);
  const isOurs = href?.startsWith('/') || href?.startsWith('#');
  return (
    <span class="note">
      {href === null ? (
        <Foreign>{text}</Foreign>
      ) : (
        <a href={href} rel={isOurs ? undefined : 'nofollow noopener ugc'}>
          <Foreign>{text}</Foreign>
        </a>
      )}{' '}
      · <Age at={observedAt} now={readAt} />
    </span>
  );
}
