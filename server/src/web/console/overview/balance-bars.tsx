import { sourceNamed } from '../../../access/plans/charge-sources.ts';
import type { AccountBucket } from '../../../billing/ledger/account-buckets.ts';
import { formatCount, Moment } from '../../components/formatting.tsx';

/** Shows the remaining balance of each source, in the order in which they pay. */
export function BalanceBars({ buckets }: { buckets: readonly AccountBucket[] }) {
  if (buckets.length === 0) {
    return <p>You have no calls or credits. Contact the operator to change plan or add credits.</p>;
  }
  return (
    <ul class="balances">
      {buckets.map((bucket) => (
        <li key={bucket.id}>
          <p>
            <strong>{sourceNamed(bucket.source).label}</strong>{' '}
            <span class="n">
              {formatCount(bucket.left)} <span class="muted">of {formatCount(bucket.total)} left</span>
            </span>
          </p>
          <Bar bucket={bucket} />
          <p class="muted small">
            {formatCount(bucket.used)} {bucket.unit === 'credit' && 'credits '}used
            {bucket.held > 0 && `, ${formatCount(bucket.held)} reserved by calls in progress`} ·{' '}
            {bucket.period === 'month' ? 'renewed' : 'expires'} <Moment at={bucket.to} />
          </p>
        </li>
      ))}
    </ul>
  );
}

function Bar({ bucket: { total, left, held } }: { bucket: AccountBucket }) {
  const share = (amount: number) => `${total === 0 ? 0 : ((100 * amount) / total).toFixed(2)}%`;
  return (
    <svg class="balance" width="100%" height="12" aria-hidden="true">
      <rect class="meter-bg" width="100%" height="12" rx="6" />
      {held > 0 && <rect class="missing" x={share(left)} width={share(held)} height="12" />}
      {left > 0 && <rect class="meter" width={share(left)} height="12" rx="6" />}
    </svg>
  );
}
