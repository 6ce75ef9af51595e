// Generated from openapi.yaml by generate/request-rules.mjs. Don't edit it.

/** Tells the requests (`METHOD URL`) that take an access key from all others, which are public or take only a session. */
export const TAKES_KEY: RegExp = /get .*.api.receipts|post .*.register$|post .*.run$/i;

/** Tells the requests that are safe to send again whatever happened to the first try. */
export const REPEATABLE: RegExp = /get |post .*.run$/i;
