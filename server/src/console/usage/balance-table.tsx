import type { AccountBucket } from '../../ledger/account-buckets.ts';
import { formatCount, Moment } from '../../pages/views/text.tsx';
import { SOURCE_NAMES } from '../frame/source-words.ts';

/** Every balance as a sum: what was granted, less what is used and held, is what is left. */
export function BalanceTable({ buckets }: { buckets: readonly AccountBucket[] }) {
  return (
    <table class="sums">
      <thead>
        <tr>
          <th scope="col">Source</th>
          <th scope="col" class="n">
            Granted
          </th>
          <th scope="col" class="n">
            − Used
          </th>
          <th scope="col" class="n">
            − Held
          </th>
          <th scope="col" class="n">
            = Left
          </th>
        </tr>
      </thead>
      <tbody>
        {buckets.map((bucket) => (
          <tr key={bucket.id}>
            <th scope="row">
              {SOURCE_NAMES[bucket.source]}
              <span class="note">
                {bucket.unit === 'credit' && 'credits, '}
                <span class="wide-only">
                  <Moment at={bucket.from} />{' '}
                </span>
                to <Moment at={bucket.to} />
              </span>
            </th>
            <td class="n">{formatCount(bucket.total)}</td>
            <td class="n">{formatCount(bucket.used)}</td>
            <td class="n">{formatCount(bucket.held)}</td>
            <td class="n">
              <strong>{formatCount(bucket.left)}</strong>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
