// Generated from openapi.yaml by generate/request-rules.mjs. Don't edit it.

/** Matches requests (`METHOD URL`) that take an access key. All others are public or take a session. */
export const TAKES_KEY: RegExp = /get .*.api.balance|get .*.api.receipts|get .*.api.usage|post .*.register$|post .*.run$/i;

/** Matches requests that are safe to repeat after any outcome of the first attempt. */
export const REPEATABLE: RegExp = /get |post .*.lookup$|post .*.run$|put .*.limits$/i;
