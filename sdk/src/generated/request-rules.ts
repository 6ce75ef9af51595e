// Generated from openapi.yaml by generate/request-rules.mjs. Don't edit it.

/** Matches requests (`METHOD URL`) that take an access key. All others are public or take a session. */
export const TAKES_KEY: RegExp = /get .*.api.(balance|receipts|usage)|post .*.(register|run)$/i;

/** Matches requests that are safe to repeat after any outcome of the first attempt. */
export const REPEATABLE: RegExp = /get |post .*.(lookup|run)$/i;
