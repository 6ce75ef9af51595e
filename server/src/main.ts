import { exitWith } from './exit-with.ts';
import { requireOpenFiles } from './open-files.ts';

try {
  requireOpenFiles();
  // Loaded only now: it takes more open files than some processes may have.
  const { serve } = await import('./serve.ts');
  await serve();
} catch (error) {
  exitWith(error);
}
