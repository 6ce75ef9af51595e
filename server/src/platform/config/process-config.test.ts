import { describe, expect, it } from 'vitest';
import { loadScoringConfig } from './process-config.ts';

describe('the configuration of the scoring process', () => {
  it('needs a token and nothing else', () => {
    expect(loadScoringConfig({ SCORING_TOKEN: 'agreed' })).toEqual({
      host: '127.0.0.1',
      port: 4010,
      token: 'agreed',
      logLevel: 'info',
    });
    expect(() => loadScoringConfig({ SCORING_TOKEN: ' ' })).toThrow(/SCORING_TOKEN is missing/);
  });

  it('reports all problems at once, without the token', () => {
    const environment = { SCORING_TOKEN: 'has a space', SCORING_PORT: '65536', LOG_LEVEL: 'loud' };

    expect(() => loadScoringConfig(environment)).toThrow(
      /SCORING_PORT is "65536"[\s\S]*SCORING_TOKEN has an invalid value[\s\S]*LOG_LEVEL is "loud"/,
    );
    expect(() => loadScoringConfig(environment)).not.toThrow(/has a space/);
  });

  it('ignores variables of the server, even invalid ones', () => {
    const environment = {
      SCORING_TOKEN: 'agreed',
      SCORING_PORT: '4321',
      DATABASE_URL: 'nonsense',
      PORT: 'x',
    };

    expect(loadScoringConfig(environment).port).toBe(4321);
  });
});
