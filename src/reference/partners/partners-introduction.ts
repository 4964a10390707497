/** Introduction of the document about endpoints that partners implement. */
export const partnersIntroduction = `The endpoints that host apps and miniapps implement and the service calls. Their URLs are settings; each entry is named by its side and its setting. Bodies are JSON in UTF-8 (\`Accept-Encoding: identity\`). Answers are JSON of at most 1 MiB and about 50,000 values, without redirects; connecting may take 3 seconds, the whole call as long as the caller's still may.

**Who calls.** \`Authorization\` is, in this order: the user's access token where the call goes with one, a client access token where the host app issues such, else Basic while signing is off for the receiver. Where signing is on, the signature headers go with every call.

**Refusals** are an \`error_code\` in the body, whatever the status. Of answers without one, 2xx is success and everything else a failure.

**Repeats.** Nothing but a delivery is sent again by the service itself, apart from one retry after a refused token. A delivery is attempted at once, then after 5 s, 30 s, 2 min, 10 min, 30 min, 2 h, 5 h, 10 h and every 10 h up to seven days.`;
