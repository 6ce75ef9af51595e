import { type ComponentChildren, createContext } from 'preact';
import { useContext } from 'preact/hooks';
import { FORM_TOKEN_FIELD } from '../../http/credentials/csrf-token.ts';

/** The token that every form of the page carries. */
export const FormToken = createContext('');

interface FormProps {
  /** Where it is sent, by POST. */
  action: string;
  class?: string;
  children: ComponentChildren;
}

/** A form that changes something: it carries the token of the session that the page was shown to. */
export function Form({ action, children, ...rest }: FormProps) {
  return (
    <form action={action} method="post" {...rest}>
      <input type="hidden" name={FORM_TOKEN_FIELD} value={useContext(FormToken)} />
      {children}
    </form>
  );
}

/** One button that does one thing at once. */
export function ActionButton(props: { action: string; class?: string; label?: string; children: string }) {
  return (
    <Form action={props.action} class="inline">
      <button type="submit" class={props.class} aria-label={props.label}>
        {props.children}
      </button>
    </Form>
  );
}
