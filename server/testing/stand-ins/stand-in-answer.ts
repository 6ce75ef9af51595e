/** One answer of a stand-in host. */
export interface StandInAnswer {
  readonly status: number;
  readonly body: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A document with status 200. */
export const json = (value: unknown): StandInAnswer => ({ status: 200, body: JSON.stringify(value) });
/** As every host says it. */
export const NOT_FOUND: StandInAnswer = { status: 404, body: '{"message":"Not Found"}' };
