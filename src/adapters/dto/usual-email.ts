/** Matches nearly all real e-mail addresses with one cheap test; a subset of what the validation library accepts. */
export const usualEmail = /^[A-Za-z0-9_+-]{1,32}(?:\.[A-Za-z0-9_+-]{1,15}){0,2}@(?:[A-Za-z0-9]{1,40}\.){1,3}[A-Za-z]{2,20}$/;
