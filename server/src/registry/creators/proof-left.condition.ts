/** SQL of the milliseconds that a proof with this last good check still counts (the view proved_account), if it does. */
export function proofLeftMs(checkedAt: string): string {
  return `(extract(epoch FROM ${checkedAt} + interval '60 days' - ledger_now()) * 1000)::float8`;
}
