/** Answers that a target cannot give, each with its reason. Whatever is not listed here has to be seen. */
export interface ExcusedAnswer {
  readonly target: 'server' | 'mock';
  readonly operationId: string;
  readonly status: number;
  readonly reason: string;
}

export const EXCUSED_ANSWERS: readonly ExcusedAnswer[] = [];

/** Finds the reason why a target need not give this answer; undefined if it must. */
export function excuseFor(target: string, operationId: string, status: number): string | undefined {
  return EXCUSED_ANSWERS.find(
    (each) => each.target === target && each.operationId === operationId && each.status === status,
  )?.reason;
}
