/** An answer that a target cannot give, with the reason. All other documented answers must be received in a test. */
export interface ExcusedAnswer {
  readonly target: 'server' | 'mock';
  readonly operationId: string;
  readonly status: number;
  readonly reason: string;
}

/** The operation that lists the signing keys. It needs no database, because the server reads the keys at its start. */
const KEYS = {
  target: 'server',
  operationId: 'listSigningKeys',
  reason: 'it reads only keys in memory, no database',
} as const;

export const EXCUSED_ANSWERS: readonly ExcusedAnswer[] = [
  { ...KEYS, status: 500 },
  { ...KEYS, status: 503 },
];

/** Finds the reason why a target need not give this answer; undefined if it must. */
export function excuseFor(target: string, operationId: string, status: number): string | undefined {
  return EXCUSED_ANSWERS.find(
    (each) => each.target === target && each.operationId === operationId && each.status === status,
  )?.reason;
}
