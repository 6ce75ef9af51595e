import { exitWith, serve } from './serve.ts';

await serve().catch(exitWith);
