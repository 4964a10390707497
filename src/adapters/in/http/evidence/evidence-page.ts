import { createHash } from 'node:crypto';
import type { EvidenceDocument } from './evidence-document';
import { evidenceStyle } from './evidence-style';

const styleHash = createHash('sha256').update(evidenceStyle, 'utf8').digest('base64');

/** The page loads nothing, runs no script and sends no referrer. */
export const pageHeaders = {
  'Content-Type': 'text/html; charset=utf-8',
  'Content-Security-Policy': `default-src 'none'; style-src 'sha256-${styleHash}'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'`,
  'Referrer-Policy': 'no-referrer',
} as const;

/** An exchange as an HTML page. `jws` is printed below it, so that it can be verified elsewhere. */
export function evidencePage(shown: EvidenceDocument, jws: string): string {
  const { exchange, verdict, signature } = shown;
  return pageOf(
    `${exchange.call} · evidence`,
    `<header><p class="kind">Evidence of one call, signed by ${html(shown.issuer)}</p><h1>${html(exchange.call)}</h1>
<p class="verdict ${verdict.side === 'nobody' ? 'good' : 'bad'}"><b>${html(sides[verdict.side])}</b> ${html(verdict.sentence)}${verdict.next === undefined ? '' : ` <span>${html(verdict.next)}</span>`}</p></header>
${detailsHtml(shown)}
<section><h2>What happened</h2>${stepsTable(shown)}</section>
${signature ? signatureSection(signature) : ''}
${shown.curl === undefined ? '' : `<section><h2>The call as a command</h2>${code(shown.curl)}</section>`}
<section><h2>Proof</h2><p>The text below is a JSON Web Signature (ES256) over everything on this page. Its key is published at
<code>${html(shown.issuer)}/.well-known/jwks.json</code>; it can be checked without the platform.</p>${code(jws)}</section>
<footer>Valid until ${time(shown.expires_at)}. Secrets, bodies and whatever tells of a user are left out; in signed texts letters stand as x, digits as 0.</footer>`,
  );
}

export const vanishedPage = (): string =>
  pageOf(
    'No such evidence',
    '<header><h1>This link leads nowhere</h1><p>It is wrong, has expired, or was revoked. Ask whoever sent it for a new one.</p></header>',
  );

const pageOf = (title: string, main: string): string => `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><meta name="robots" content="noindex">
<title>${html(title)}</title><style>${evidenceStyle}</style></head><body><main>${main}</main></body></html>
`;

const sides = {
  nobody: 'Nobody has to act.',
  hostapp: 'The host app has to act.',
  miniapp: 'The miniapp has to act.',
  platform: 'The platform has to act.',
  operator: 'The operator has to act.',
} as const;
const lanes = { hostapp: 'Host app', platform: 'Platform', miniapp: 'Miniapp' } as const;
const marks = { passed: '✓ passed', refused: '✕ refused', 'not-checked': '– not checked' } as const;

function detailsHtml({ exchange, checks, split_ms: split }: EvidenceDocument): string {
  const rows: readonly (readonly [string, string])[] = [
    ['Time', time(exchange.at)],
    ['Status', `${String(exchange.status)}${exchange.error_code === undefined ? '' : ` · ${html(exchange.error_code)}`}`],
    ['Request', `<code>${html(exchange.request_id)}</code>`],
    ['Host app', `<code>${html(exchange.client_id ?? '–')}</code>`],
    ['Miniapp', `<code>${html(exchange.app_id ?? '–')}</code>`],
    ['Basic', marks[checks.basic]],
    ['Signature', marks[checks.signature]],
    ['Address', marks[checks.address]],
    ['Took', `${ms(exchange.ms)}: platform ${ms(split.platform)}, host app ${ms(split.hostapp)}, miniapp ${ms(split.miniapp)}`],
  ];
  return `<dl>${rows.map(([name, value]) => `<div><dt>${name}</dt><dd>${value}</dd></div>`).join('')}</dl>`;
}

function stepsTable({ steps }: EvidenceDocument): string {
  const rows = steps.map(({ from, to, what, at, ms: took, status, attempt, error_code: errorCode, cause }) => {
    const answer = [status, errorCode, cause].filter((part) => part !== undefined).join(' · ');
    const often = attempt > 1 ? ` (attempt ${String(attempt)})` : '';
    const cells = [time(at), `${lanes[from]} → ${lanes[to]}`, html(what + often), html(answer), took === undefined ? '' : ms(took)];
    return `<tr${errorCode === undefined ? '' : ' class="failed"'}>${cells.map((cell) => `<td>${cell}</td>`).join('')}</tr>`;
  });
  const head = ['Time', 'From and to', 'What', 'Answer', 'Took'].map((name) => `<th scope="col">${name}</th>`).join('');
  return `<div class="scroll" tabindex="0" role="region" aria-label="Steps"><table><thead><tr>${head}</tr></thead><tbody>${rows.join('')}</tbody></table></div>`;
}

function signatureSection({
  sentence,
  expected_string: expected,
  signed_string: signed,
  differs_at: at,
}: NonNullable<EvidenceDocument['signature']>): string {
  const where = at === undefined ? '' : `<p>The two texts part at byte ${String(at)}.</p>`;
  const one = (name: string, text: string | undefined): string => (text === undefined ? '' : `<h3>${name}</h3>${code(text)}`);
  return `<section><h2>The signature</h2><p>${html(sentence)}</p>${one('To be signed', expected)}${one('Was signed', signed)}${where}</section>`;
}

const code = (text: string): string => `<pre tabindex="0">${html(text)}</pre>`;
const ms = (count: number): string => `${String(Math.round(count))} ms`;
const time = (text: string): string => `<time datetime="${html(text)}">${html(text.replace('T', ' ').replace('Z', ' UTC'))}</time>`;
const html = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;').replaceAll("'", '&#39;');
