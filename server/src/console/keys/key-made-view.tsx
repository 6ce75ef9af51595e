import type { CreatedKey } from '../../keys/create-key.ts';
import { Crumbs } from '../frame/crumbs.tsx';
import { Notice } from '../frame/notice.tsx';
import { type FirstAsked, firstCall } from './first-call.ts';

interface KeyMadeProps {
  made: CreatedKey;
  name: string;
  site: string;
  /** Something real to ask about. */
  asked: FirstAsked;
}

/** A new key's secret, shown this once. */
export function KeyMade({ made, name, site, asked }: KeyMadeProps) {
  return (
    <>
      <Crumbs href="/console/keys">Keys</Crumbs>
      <h1>Your new key</h1>
      <Notice>
        <strong>Copy the secret now.</strong> It is not stored and cannot be shown again. Anyone who has it
        can spend your credits: keep it out of repositories and logs.
      </Notice>
      <section class="card narrow" aria-labelledby="secret">
        <h2 id="secret">
          Secret of <bdi>{name}</bdi>
        </h2>
        <div class="copy secret" data-copy="the secret">
          <code>{made.secret}</code>
        </div>
        <h3>Try it</h3>
        <div class="copy" data-copy="the call">
          <pre>{firstCall(site, `'Authorization: Bearer ${made.secret}'`, asked)}</pre>
        </div>
        <p class="row">
          <a class="button primary" href="/console/keys">
            I have stored it
          </a>
        </p>
      </section>
    </>
  );
}
