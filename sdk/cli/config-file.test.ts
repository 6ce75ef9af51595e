import { chmod, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { configPath, readConfigFile } from './config-file.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'trust-directory-config-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

async function file(name: string, text: string, mode = 0o600): Promise<string> {
  const path = join(folder, name);
  await writeFile(path, text);
  await chmod(path, mode);
  return path;
}

describe('the config file', () => {
  it('is below XDG_CONFIG_HOME or ~/.config', () => {
    const below = 'trust-directory/config.json';

    expect(configPath({ XDG_CONFIG_HOME: '/x', HOME: '/h' })).toBe(`/x/${below}`);
    expect(configPath({ HOME: '/h' })).toBe(`/h/.config/${below}`);
    expect(configPath({ XDG_CONFIG_HOME: 'relative', HOME: '/h' })).toBe(`/h/.config/${below}`);
  });

  it('holds key and URL', async () => {
    const path = await file('good.json', '{"apiKey":"svc_live_x","url":"https://trust.example"}');

    expect(await readConfigFile(path)).toEqual({ apiKey: 'svc_live_x', url: 'https://trust.example' });
  });

  it('is optional', async () => {
    expect(await readConfigFile(join(folder, 'none.json'))).toEqual({});
  });

  it.each([0o640, 0o604, 0o660, 0o644, 0o611, 0o777])('is rejected with mode %o', async (mode) => {
    const path = await file('wide.json', '{"apiKey":"svc_live_secret"}', mode);

    const refusal = await readConfigFile(path).catch((error) => error);

    expect(refusal).toMatchObject({ name: 'CommandError', exitCode: 2 });
    expect(refusal.message).toContain(`chmod 600 '${path}'`);
    expect(refusal.message).not.toContain('svc_live_secret');
  });

  it('is accepted with mode 400', async () => {
    expect(await readConfigFile(await file('tight.json', '{}', 0o400))).toEqual({});
  });

  it('is checked by the target of a link', async () => {
    const path = join(folder, 'link.json');
    await symlink(await file('target.json', '{}', 0o644), path);

    await expect(readConfigFile(path)).rejects.toThrow('accessible to other users (mode 644)');
  });

  it.each(['svc_live_secret', '["svc_live_secret"]', '{"apiKey":5}', '{"key":"svc_live_secret"}', 'null'])(
    'is rejected with %s, and never quoted',
    async (text) => {
      const refusal = await readConfigFile(await file('odd.json', text)).catch((error) => error);

      expect(refusal).toMatchObject({ name: 'CommandError', exitCode: 2 });
      expect(refusal.message).not.toContain('svc_live_secret');
    },
  );

  it('is rejected with a message if it is a folder', async () => {
    const path = join(folder, 'folder.json');
    await mkdir(path, { mode: 0o700 });

    await expect(readConfigFile(path)).rejects.toMatchObject({ exitCode: 2 });
  });
});
