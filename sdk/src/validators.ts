export * from './generated/validators/zod.gen.ts';
