/** What can be the value of a header without being changed on its way: printable ASCII, no blank at either end (RFC 9110 §5.5). */
export const headerValuePattern = /^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/;
