import { headerNameMembers } from '../../signing/signature-rules';
import { defaultSignatureSettings, type SignatureHeaderNames, type SignatureSettings } from '../../signing/signature-settings';
import { planOf, program, quoted, usesFixed } from './sample-plan';
import { checkHint, checkVariable, windowS } from './verifier-plan';

/** Code that checks signatures in Node with `pierhead/kit`: the kit implements the rules, the program contains the agreed settings. */
export function kitVerifier(settings: SignatureSettings, merchantId: string | undefined): string {
  const plan = planOf(settings, merchantId);
  const variable = `process.env.${checkVariable(plan)} ?? ''`;
  const key = plan.keyFormat === 'PEM' ? `fs.readFileSync(${variable}, 'utf8')` : `fs.readFileSync(${variable}, 'base64')`;
  return program(
    `// Checks a request that Pierhead signed: node verify.ts POST https://… headers.txt < body.json`,
    `// ${checkHint(plan)} ${windowS} seconds are allowed between its clock and yours.`,
    plan.nonceLength > 0 && '// A nonce is refused for the second time by this process: give verify a store that all of yours share.',
    `import * as fs from 'node:fs';`,
    `import { CallRefused, verify, type AgreedSignature } from 'pierhead/kit';`,
    '',
    'const agreed: AgreedSignature = {',
    ...agreedMembers(settings).map(([name, value]) => `  ${name}: ${JSON.stringify(value)},`),
    ...(['client_id', 'identity', 'merchant_id'] as const).map(
      (name) => usesFixed(plan, name) && `  ${name === 'client_id' ? 'api_client_id' : name}: ${quoted(plan.fixed[name])},`,
    ),
    plan.algorithm === 'HMAC' ? `  hmac_secret: ${variable},` : `  platform_public_key: ${key},`,
    '};',
    '',
    `const [method = 'POST', url = '', file = ''] = process.argv.slice(2);`,
    `const lines = fs.readFileSync(file, 'utf8').matchAll(/^([^:\\n]+): (.*)$/gm);`,
    `const headers = Object.fromEntries([...lines].map(([, name, value]) => [name, value]));`,
    '// The URL as you registered it, and the body byte by byte as it came.',
    'verify({ method, url, headers, body: fs.readFileSync(0) }, agreed).catch((refusal: unknown) => {',
    '  if (!(refusal instanceof CallRefused)) throw refusal;',
    '  process.exitCode = 1;',
    '});',
  );
}

/** Names of the settings in an agreement. */
const apiNames = {
  ...{ hash: 'hash', encoding: 'encoding', timestampPrecision: 'timestamp_precision', nonceLength: 'nonce_length' },
  ...{ payloadTemplate: 'payload_template', signatureTemplate: 'signature_template', urlForm: 'url_form' },
} as const;

/** Leaves out settings that equal the kit's defaults. */
function agreedMembers(settings: SignatureSettings): readonly (readonly [string, unknown])[] {
  const { algorithm = 'HMAC', headerNames } = settings;
  const members = Object.entries(apiNames) as [keyof typeof apiNames, string][];
  const names = (Object.entries(headerNameMembers) as [keyof SignatureHeaderNames, string][]).filter(
    ([member]) => headerNames[member] !== defaultSignatureSettings.headerNames[member],
  );
  return [
    ['algorithm', algorithm],
    ...members.flatMap(([member, name]) =>
      settings[member] === defaultSignatureSettings[member] ? [] : [[name, settings[member]] as const],
    ),
    ...(names.length > 0
      ? [['header_names', Object.fromEntries(names.map(([member, name]) => [name, headerNames[member]]))] as const]
      : []),
  ];
}
