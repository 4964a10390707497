/** Introduction of the API document. */
export const apiIntroduction = `What the back ends and pages of host apps and miniapps call, at \`/api/v1/\` below the public base URL of the service. Paths are served with and without the final slash. Bodies are JSON in UTF-8, at most 256 KiB unless the operator set another limit. \`null\` and absent are equal; unknown members are ignored, or travel along where a member says so. Decimals are never turned into floats: they leave with the text that they came with.

**Who calls.** \`client_id\` and \`app_id\` name the integration. What a caller must prove depends on the settings of its app: Basic, a request signature, an allowlist of addresses; what is on must pass. \`security\` of each call lists what it takes; an empty entry means that nothing may be asked, or the allowlist alone.

**Refusals** have the Error body. \`error_code\` is for programs and stays, \`error_message\` is for people; every code is explained in the error reference. A partner's own \`error_code\` is passed on with 400, whether it is listed or not. A path that does not exist is 404 \`NOT_FOUND\`, a method that a path does not take 405 \`METHOD_NOT_ALLOWED\` with \`Allow\`.

**Repeats.** POST calls of back ends take an \`Idempotency-Key\`: for 24 hours the same call with the same key and body has the same answer. Not kept are 429, 503, and failures of a partner without \`outcome\`: the next call with the key acts.`;
