import { signedBytes, type Filling, type TextDeviation } from './filling';
import { readAsSent, type AsSent } from './as-sent';
import type { CauseCode, Deviation } from './cause';
import type { Cause, Explanation } from './explanation';
import { maskOf, type Mask } from './masked';
import type { SampleGenerator } from '../ports';
import type { WorkClock } from './ports';
import { headersOf, valuesOf } from './request-headers';
import { attempts, type Attempt } from './search-order';
import { agreedFilling, missingOf, textsOf, trialsOf, type CaseTools, type SignatureCase } from './signature-case';
import { excerptAt, firstDifference, shownText } from './visible-text';
import { prepareSigning } from '../signing/signing-string';

export interface ExplainTools extends CaseTools {
  readonly work: WorkClock;
  readonly samples: SampleGenerator;
  /** Time limit of a search, in milliseconds; default 750. */
  readonly budgetMs?: number;
}

const usualBudgetMs = 750;
/** Milliseconds after which the search lets other work run. */
const turnMs = 12;

/**
 * Finds the text that was signed: rebuilds the agreed text, then the text after each known mistake, and checks the signature over it.
 * Every mistake that it reports is proved; if nothing fits, it reports that, without a guess.
 */
export async function explainCase(theCase: SignatureCase, tools: ExplainTools): Promise<Explanation> {
  const { settings, receivedAt, windowS, merchantId, request } = theCase;
  const programs = { code: tools.samples.signing(settings, merchantId), checkingCode: tools.samples.checking(settings, merchantId) };
  const missing = missingOf(theCase);
  if (missing.length > 0) {
    return {
      verdict: 'settings-incomplete',
      causes: [],
      sentence: `Nothing can be checked before this is set: ${missing.join(', ')}.`,
      ...programs,
    };
  }
  const sent = readAsSent({ request, settings, ready: prepareSigning(settings), merchantId, receivedAt, windowS });
  const agreed = agreedFilling(theCase, sent);
  const hit = await search(theCase, { sent, agreed }, tools);
  const mask = maskOf(theCase.credentials);
  const details = {
    ...shownTexts({ agreed, hit, mask }, tools),
    ...(sent.clockSkewS !== undefined && { clockSkewS: sent.clockSkewS }),
    ...programs,
  };
  const cause = causeOf(mask, [...urlFinding(theCase), ...findingsOf(theCase, sent, hit), ...(hit ? [hit.trial, ...hit.deviations] : [])]);
  if (cause.codes.length > 0) return { verdict: 'explained', causes: [cause], sentence: answerOf(cause, hit), ...details };
  if (!hit) return { verdict: 'unknown', causes: [], sentence: unknownSentence, ...details };
  return { verdict: 'fits', causes: [], sentence: 'The signature fits the request, the stored key and the settings.', ...details };
}

const unknownSentence =
  'None of the known mistakes explains this signature: another key, another text or another scheme was used. Compare what you sign with the expected text, byte by byte.';

interface SearchFrom {
  readonly sent: AsSent;
  readonly agreed: Filling;
}

async function search(theCase: SignatureCase, { sent, agreed }: SearchFrom, tools: ExplainTools): Promise<Attempt | undefined> {
  const { lab, work, budgetMs = usualBudgetMs } = tools;
  const began = work.elapsed();
  const trials = trialsOf(theCase, sent, tools);
  if (trials.length === 0) return undefined;
  let turnBegan = began;
  for (const attempt of attempts(trials, textsOf(theCase, sent, lab))) {
    const now = work.elapsed();
    if (now - began > budgetMs) return undefined;
    if (now - turnBegan > turnMs) {
      await work.pause();
      turnBegan = work.elapsed();
    }
    if (attempt.trial.reading.fits(signedBytes(filled(agreed, attempt.deviations), lab))) return attempt;
  }
  return undefined;
}

const filled = (agreed: Filling, deviations: readonly TextDeviation[]): Filling =>
  Object.assign({}, agreed, ...deviations.map(({ fill }) => fill)) as Filling;

/** The findings from the headers; also a missing signature, if none could be checked. */
function findingsOf(
  { request, settings }: SignatureCase,
  { findings, signatures }: AsSent,
  hit: Attempt | undefined,
): readonly Deviation[] {
  const isAgreed = signatures.some(({ codes }) => codes.length === 0);
  if (isAgreed || hit) return findings;
  const name = settings.headerNames.signature;
  const basic = valuesOf(headersOf(request), 'authorization').some((value) => /^basic /i.test(value));
  const missing: Deviation = basic
    ? { codes: ['basic-instead-of-signature'], cost: 0, sentence: `you sent Basic credentials and no ${name}: signing is agreed` }
    : { codes: ['missing-header'], cost: 0, sentence: `you sent no ${name}` };
  return [missing, ...findings];
}

function urlFinding({ request: { target }, settings, publicBaseUrl }: SignatureCase): readonly Deviation[] {
  if (settings.urlForm === 'path' ? target.startsWith('/') : publicBaseUrl !== '' && target.startsWith('/')) {
    if (/^[\x21-\x7e]+$/.test(target) && !/["<>\\^`{|}]/.test(target)) return [];
  }
  return [{ codes: ['url-target'], cost: 0, sentence: 'the request target is not a path of a URI: encode what is not allowed there' }];
}

function causeOf(mask: Mask, deviations: readonly Deviation[]): Cause {
  const coded = deviations.filter(({ codes }) => codes.length > 0);
  const codes = [...new Set<CauseCode>(coded.flatMap((one) => one.codes))];
  const sentences = [...new Set(coded.map(({ sentence }) => mask.text(sentence)))];
  return { codes, sentence: sentences.map((one, i) => (i === 0 ? one.charAt(0).toUpperCase() + one.slice(1) : one)).join('; and ') };
}

function answerOf({ sentence }: Cause, hit: Attempt | undefined): string {
  return hit ? `${sentence}.` : `${sentence}. Whether the signature itself is right is unknown.`;
}

interface ShownTexts {
  readonly agreed: Filling;
  readonly hit: Attempt | undefined;
  readonly mask: Mask;
}

/** The agreed text and, if it was found, the signed text. */
function shownTexts(
  { agreed, hit, mask }: ShownTexts,
  { lab }: ExplainTools,
): Pick<Explanation, 'expectedString' | 'signedString' | 'difference'> {
  const accepted = hit?.deviations.filter(({ part, codes }) => part === 'payload' && codes.length === 0) ?? [];
  const expected = mask.bytes(signedBytes(filled(agreed, accepted), lab));
  if (!hit) return { expectedString: shownText(expected) };
  const { digested: _, ...text } = filled(agreed, hit.deviations);
  const signed = mask.bytes(signedBytes(text, lab));
  const at = firstDifference(expected, signed);
  return {
    expectedString: shownText(expected),
    signedString: shownText(signed),
    ...(at !== undefined && { difference: { at, expected: excerptAt(expected, at), signed: excerptAt(signed, at) } }),
  };
}
