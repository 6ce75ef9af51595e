export type { BodyOf, Endpoint } from './answer.ts';
export { type Changes, type ExampleBody, type ExampleName, example, exampleNames } from './example.ts';
export { handlers, type ReplyOptions, reply } from './handlers.ts';
