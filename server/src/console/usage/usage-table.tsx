import type { Day } from '../../plans/days.ts';
import { Columns } from '../../ui/columns.tsx';
import { Foreign, formatCount, formatDay } from '../../ui/text.tsx';
import type { UsageRow } from '../../usage/usage.ts';
import { operationName } from '../frame/operation-filter.tsx';
import { SOURCE_NAMES } from '../frame/source-words.ts';

/** Day by day, one line per operation, key and source; what a phone has no room for stands under the operation. */
export function UsageTable({ rows }: { rows: readonly UsageRow[] }) {
  return (
    <table class="calls">
      <Columns
        of={['Operation', ['Key', 'wide-only'], ['Paid from', 'wide-only'], ['Calls', 'n'], ['Credits', 'n']]}
      />
      {inDays(rows).map(([day, ofDay]) => (
        <tbody key={day}>
          <tr class="day">
            <th scope="rowgroup" colSpan={5}>
              {formatDay(day)}
            </th>
          </tr>
          {ofDay.map((row) => (
            <Row key={`${row.operation} ${row.bucketId} ${row.keyId}`} row={row} />
          ))}
        </tbody>
      ))}
    </table>
  );
}

/** The rows of each day, in the order in which they come. */
function inDays(rows: readonly UsageRow[]): [Day, UsageRow[]][] {
  const days = new Map<Day, UsageRow[]>();
  for (const row of rows) {
    const ofDay = days.get(row.day);
    if (ofDay) ofDay.push(row);
    else days.set(row.day, [row]);
  }
  return [...days];
}

function Row({ row }: { row: UsageRow }) {
  const { operation, source, settledCalls, failedCalls, heldCalls, unit, used } = row;
  return (
    <tr>
      <th scope="row">
        {operationName(operation)}
        <span class="note small-only">
          <KeyOf row={row} /> · {SOURCE_NAMES[source]}
        </span>
      </th>
      <td class="wide-only">
        <KeyOf row={row} />
      </td>
      <td class="wide-only source">{SOURCE_NAMES[source]}</td>
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
