/** How long a sign-in link can be redeemed. */
export const SIGN_IN_LINK_MINUTES = 10;
