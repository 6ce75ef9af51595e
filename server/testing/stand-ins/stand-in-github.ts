import { createHash, randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

/** A person, as returned by `GET /user`. */
interface GithubUser {
  id: number;
  login: string;
  created_at: string;
}

/**
 * GitHub's part of the sign-in: the person set as `user` consents at once, and codes and tokens are checked like on
 * GitHub.
 */
export interface StandInGithub {
  readonly url: string;
  readonly clientId: string;
  readonly clientSecret: string;
  user: GithubUser;
  /** Overrides the answer of `GET /user`. */
  userAnswer: { status: number; body: string } | undefined;
  /** Tokens that were issued, and those that were used. */
  readonly tokens: { given: string[]; used: string[] };
  close(): Promise<void>;
}

/** State of one stand-in. */
interface Stage {
  standIn: Omit<StandInGithub, 'url' | 'close'>;
  callbackUrl: string;
  /** Grants by authorization code. */
  grants: Map<string, { redirectUri: string; challenge: string }>;
}

/** Starts a stand-in of GitHub for an app with this callback address. */
export async function startGithub(callbackUrl: string): Promise<StandInGithub> {
  const standIn: Stage['standIn'] = {
    clientId: 'Iv1.standin',
    clientSecret: randomBytes(20).toString('hex'),
    user: { id: 1, login: 'octocat', created_at: '2011-01-25T18:44:36Z' },
    userAnswer: undefined,
    tokens: { given: [], used: [] },
  };
  const stage: Stage = { standIn, callbackUrl, grants: new Map() };
  const server = createServer(async (request, response) => {
    const url = new URL(request.url ?? '/', 'http://stand-in');
    if (url.pathname === '/login/oauth/authorize') authorize(stage, url.searchParams, response);
    else if (url.pathname === '/login/oauth/access_token') await giveToken(stage, request, response);
    else if (url.pathname === '/api/v3/user') tellUser(stage, request, response);
    else response.writeHead(404).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return Object.assign(standIn, {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  });
}

function authorize(
  { standIn, callbackUrl, grants }: Stage,
  query: URLSearchParams,
  response: ServerResponse,
) {
  const redirectUri = query.get('redirect_uri') ?? '';
  const isOurs = query.get('client_id') === standIn.clientId && redirectUri === callbackUrl;
  if (!isOurs || query.get('code_challenge_method') !== 'S256') {
    response.writeHead(404).end();
    return;
  }
  const code = randomBytes(10).toString('hex');
  grants.set(code, { redirectUri, challenge: query.get('code_challenge') ?? '' });
  const back = new URL(redirectUri);
  back.searchParams.set('code', code);
  back.searchParams.set('state', query.get('state') ?? '');
  response.writeHead(302, { location: back.href }).end();
}

/** Answers a token request, always with status 200, like GitHub. */
async function giveToken({ standIn, grants }: Stage, request: IncomingMessage, response: ServerResponse) {
  const form = new URLSearchParams(await text(request));
  const code = form.get('code') ?? '';
  const grant = grants.get(code);
  grants.delete(code);
  const { clientId, clientSecret, tokens } = standIn;
  const verifier = createHash('sha256')
    .update(form.get('code_verifier') ?? '')
    .digest('base64url');
  if (form.get('client_id') !== clientId || form.get('client_secret') !== clientSecret) {
    json(response, 200, { error: 'incorrect_client_credentials' });
  } else if (grant?.challenge !== verifier || grant.redirectUri !== form.get('redirect_uri')) {
    json(response, 200, { error: 'bad_verification_code', error_description: 'wrong or expired' });
  } else {
    const token = `gho_${randomBytes(18).toString('hex')}`;
    tokens.given.push(token);
    json(response, 200, { access_token: token, token_type: 'bearer', scope: '' });
  }
}

function tellUser({ standIn }: Stage, request: IncomingMessage, response: ServerResponse): void {
  const { tokens, user, userAnswer } = standIn;
  const token = request.headers.authorization?.replace(/^Bearer /, '') ?? '';
  tokens.used.push(token);
  if (!tokens.given.includes(token)) json(response, 401, { message: 'Bad credentials' });
  else if (!userAnswer) json(response, 200, user);
  else response.writeHead(userAnswer.status, { 'content-type': 'application/json' }).end(userAnswer.body);
}

function json(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}
