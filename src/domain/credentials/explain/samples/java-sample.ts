import type { SignatureHash, TimestampPrecision } from '../../signing/signature-settings';
import { keyHint, keyVariable, pieces, program, quoted, usesFixed, type SamplePlan } from './sample-plan';

export const hashes: Readonly<Record<SignatureHash, string>> = {
  ...{ 'SHA-224': 'SHA224', 'SHA-256': 'SHA256', 'SHA-384': 'SHA384', 'SHA-512': 'SHA512', 'SHA-1': 'SHA1', MD5: 'MD5' },
};
const times: Readonly<Record<TimestampPrecision, string>> = {
  seconds: 'now.getEpochSecond()',
  milliseconds: 'now.toEpochMilli()',
  microseconds: '(now.getEpochSecond() * 1_000_000L + now.getNano() / 1_000)',
  nanoseconds: '(now.getEpochSecond() * 1_000_000_000L + now.getNano())',
};
export const names = {
  ...{ request_method: 'method', url: 'url', client_id: 'CLIENT_ID', timestamp: 'timestamp', nonce: 'nonce' },
  ...{ identity: 'IDENTITY', merchant_id: 'MERCHANT_ID', payload: 'body' },
};

/** Signing code for Java 17 and later, one file that runs as it is. */
export function javaSample(plan: SamplePlan): string {
  const { headers, nonceLength, fixed } = plan;
  const set = (name: keyof typeof fixed): string | false =>
    usesFixed(plan, name) && `    static final String ${names[name]} = ${quoted(fixed[name])};`;
  const writes = pieces(plan, names, quoted).map(
    (piece) => `        text.write(${piece === 'body' ? piece : `${piece}.getBytes(StandardCharsets.UTF_8)`});`,
  );
  return program(
    ...headOf(plan),
    '',
    'public class Sign {',
    set('client_id'),
    set('identity'),
    set('merchant_id'),
    '',
    '    static Map<String, String> signatureHeaders(String method, String address, byte[] body) throws Exception {',
    ...urlLines(plan),
    '        Instant now = Instant.now();',
    `        String timestamp = String.valueOf(${times[plan.precision]});`,
    ...(nonceLength > 0 ? nonceLines(nonceLength) : []),
    '        var text = new ByteArrayOutputStream();',
    ...writes,
    ...signing(plan),
    '        var headers = new LinkedHashMap<String, String>();',
    ...headers.map(({ name, value }) => `        headers.put(${quoted(name)}, ${value === 'signature' ? wrapped(plan) : names[value]});`),
    '        return headers;',
    '    }',
    '',
    ...main,
  );
}

export const imports: readonly string[] = [
  ...['java.io.ByteArrayOutputStream', 'java.net.URI', 'java.nio.charset.StandardCharsets', 'java.nio.file.*', 'java.security.*'],
  ...['java.security.spec.PKCS8EncodedKeySpec', 'java.time.Instant', 'java.util.*', 'javax.crypto.Mac', 'javax.crypto.spec.SecretKeySpec'],
];

const headOf = (plan: SamplePlan): string[] => [
  '// Prints the headers that sign a request: java Sign.java POST https://… < body.json',
  `// ${keyHint(plan)} Send the very bytes that were signed.`,
  ...imports.map((name) => `import ${name};`),
];

const main: readonly string[] = [
  '    public static void main(String[] args) throws Exception {',
  '        signatureHeaders(args[0], args[1], System.in.readAllBytes()).forEach((name, value) -> System.out.println(name + ": " + value));',
  '    }',
  '}',
];

const urlLines = ({ urlForm }: SamplePlan): string[] =>
  urlForm === 'full'
    ? ['        String url = address;']
    : [
        '        URI uri = URI.create(address);',
        '        String url = uri.getRawPath() + (uri.getRawQuery() == null ? "" : "?" + uri.getRawQuery());',
      ];

const nonceLines = (length: number): string[] => [
  `        byte[] random = new byte[${length}];`,
  '        new SecureRandom().nextBytes(random);',
  `        String nonce = HexFormat.of().formatHex(random).substring(0, ${length});`,
];

export const wrapped = ({ before, after }: SamplePlan): string =>
  [before && `${quoted(before)} + `, 'signature', after && ` + ${quoted(after)}`].join('');

export const encodings = {
  base64: 'Base64.getEncoder().encodeToString(made)',
  base64url: 'Base64.getUrlEncoder().withoutPadding().encodeToString(made)',
  hex: 'HexFormat.of().formatHex(made)',
} as const;

function signing(plan: SamplePlan): string[] {
  const { algorithm, hash, encoding } = plan;
  const variable = `System.getenv("${keyVariable(plan)}")`;
  const encode = `        String signature = ${encodings[encoding]};`;
  if (algorithm === 'HMAC') {
    return [
      `        String secret = ${variable};`,
      '        byte[] key = secret.startsWith("whsec_") ? Base64.getDecoder().decode(secret.substring(6)) : secret.getBytes(StandardCharsets.UTF_8);',
      `        Mac mac = Mac.getInstance("Hmac${hashes[hash]}");`,
      `        mac.init(new SecretKeySpec(key, "Hmac${hashes[hash]}"));`,
      '        byte[] made = mac.doFinal(text.toByteArray());',
      encode,
    ];
  }
  return [...keyLines(plan, variable), ...signLines(plan), encode];
}

const keyLines = ({ algorithm, keyFormat }: SamplePlan, variable: string): string[] => [
  keyFormat === 'DER'
    ? `        byte[] der = Files.readAllBytes(Path.of(${variable}));`
    : `        byte[] der = Base64.getMimeDecoder().decode(Files.readString(Path.of(${variable})).replaceAll("-----[^-]+-----", ""));`,
  `        PrivateKey key = KeyFactory.getInstance("${algorithm === 'RSA2' ? 'RSA' : 'EC'}").generatePrivate(new PKCS8EncodedKeySpec(der));`,
];

function signLines({ algorithm, hash }: SamplePlan): string[] {
  // Java knows no MD5withECDSA.
  const isDigested = algorithm === 'ECDSA' && hash === 'MD5';
  const name = isDigested ? 'NONEwithECDSA' : `${hashes[hash]}with${algorithm === 'RSA2' ? 'RSA' : 'ECDSA'}`;
  return [
    `        Signature signer = Signature.getInstance("${name}");`,
    '        signer.initSign(key);',
    `        signer.update(${isDigested ? 'MessageDigest.getInstance("MD5").digest(text.toByteArray())' : 'text.toByteArray()'});`,
    '        byte[] made = signer.sign();',
  ];
}
