/** The values that a header transmits unchanged: printable ASCII without a blank at either end (RFC 9110 §5.5). */
export const headerValuePattern = /^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/;
