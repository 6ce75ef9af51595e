import type { AccountBucket } from '../../ledger/account-buckets.ts';
import { Columns } from '../../ui/columns.tsx';
import { formatCount, Moment } from '../../ui/text.tsx';
import { SOURCE_NAMES } from '../frame/source-words.ts';

/** Every balance as a sum: what was granted, less what is used and held, is what is left. A phone shows what is held under what is used. */
export function BalanceTable({ buckets }: { buckets: readonly AccountBucket[] }) {
  return (
    <table class="sums">
      <Columns
        of={['Source', ['Granted', 'n'], ['− Used', 'n'], ['− Held', 'n wide-only'], ['= Left', 'n']]}
      />
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
            <td class="n">
              {formatCount(bucket.used)}
              {bucket.held > 0 && <span class="note medium small-only">{formatCount(bucket.held)} held</span>}
            </td>
            <td class="n wide-only">{formatCount(bucket.held)}</td>
            <td class="n">
              <strong>{formatCount(bucket.left)}</strong>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
