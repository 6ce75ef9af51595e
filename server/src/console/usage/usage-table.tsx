import { Foreign, formatCount, formatDay, toWords } from '../../pages/views/text.tsx';
import type { UsageRow } from '../../usage/usage.ts';

/** One line per day, operation, key and source; what a phone has no room for stands under the day. */
export function UsageTable({ rows }: { rows: readonly UsageRow[] }) {
  return (
    <table class="calls">
      <thead>
        <tr>
          <th scope="col">Day</th>
          <th scope="col" class="wide-only">
            Operation
          </th>
          <th scope="col" class="wide-only">
            Key
          </th>
          <th scope="col" class="wide-only">
            Paid from
          </th>
          <th scope="col" class="n">
            Calls
          </th>
          <th scope="col" class="n">
            Credits
          </th>
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <Row key={`${row.day} ${row.operation} ${row.bucketId} ${row.keyId}`} row={row} />
        ))}
      </tbody>
    </table>
  );
}

function Row({ row }: { row: UsageRow }) {
  const { day, operation, source, settledCalls, failedCalls, heldCalls, unit, used } = row;
  return (
    <tr>
      <th scope="row">
        {formatDay(day)}
        <span class="note small-only">
          {toWords(operation)} · <KeyOf row={row} /> · {source}
        </span>
      </th>
      <td class="wide-only">{toWords(operation)}</td>
      <td class="wide-only">
        <KeyOf row={row} />
      </td>
      <td class="wide-only source">{source}</td>
      <td class="n">
        {formatCount(settledCalls + heldCalls)}
        {failedCalls > 0 && <span class="note low">{formatCount(failedCalls)} failed</span>}
        {heldCalls > 0 && <span class="note medium">{formatCount(heldCalls)} under way</span>}
      </td>
      <td class="n">{unit === 'call' ? <span class="muted">free</span> : formatCount(used)}</td>
    </tr>
  );
}

function KeyOf({ row: { keyName, keyLastFour } }: { row: UsageRow }) {
  if (keyName === null) return <span class="muted">console</span>;
  return (
    <>
      <Foreign>{keyName}</Foreign> <span class="mono muted">…{keyLastFour}</span>
    </>
  );
}
