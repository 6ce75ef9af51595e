/** One answer of a stand-in host. */
export interface StandInAnswer {
  readonly status: number;
  readonly body: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Creates a JSON answer with status 200. */
export const json = (value: unknown): StandInAnswer => ({ status: 200, body: JSON.stringify(value) });
/** Answer of every host for an unknown path. */
export const NOT_FOUND: StandInAnswer = { status: 404, body: '{"message":"Not Found"}' };
