import { wrapped, encodings, hashes, imports, names } from './java-sample';
import { pieces, program, quoted, usesFixed, type SamplePlan } from './sample-plan';
import { checkHint, checkVariable, fixedHeaders, headerOf, inSeconds, nonceHint, windowS } from './verifier-plan';

/** Checking code for Java 17 and later, one file that runs as it is. */
export function javaVerifier(plan: SamplePlan): string {
  const { fixed } = plan;
  const set = (name: keyof typeof fixed): string | false =>
    usesFixed(plan, name) && `    static final String ${names[name]} = ${quoted(fixed[name])};`;
  const writes = pieces(plan, names, quoted).map(
    (piece) => `        text.write(${piece === 'body' ? piece : `${piece}.getBytes(StandardCharsets.UTF_8)`});`,
  );
  return program(
    ...headOf(plan),
    '',
    'public class Verify {',
    set('client_id'),
    set('identity'),
    set('merchant_id'),
    '',
    '    /** Whether it fits: the URL as you registered it, the headers, and the body byte by byte as it came; now in Unix seconds. */',
    '    static boolean verify(String method, String address, Map<String, String> headers, byte[] body, double now) throws Exception {',
    '        var sent = new TreeMap<String, String>(String.CASE_INSENSITIVE_ORDER);',
    '        sent.putAll(headers);',
    ...fixedHeaders(plan).map(
      ({ name, value }) => `        if (!${names[value as 'client_id']}.equals(sent.get(${quoted(name)}))) return false;`,
    ),
    ...urlLines(plan),
    `        String timestamp = sent.getOrDefault(${quoted(headerOf(plan, 'timestamp'))}, "");`,
    '        if (!timestamp.matches("[1-9][0-9]{0,18}")) return false;',
    `        if (Math.abs(Double.parseDouble(timestamp)${inSeconds(plan)} - now) > ${windowS}) return false;`,
    ...nonceLines(plan),
    '        var text = new ByteArrayOutputStream();',
    ...writes,
    `        String given = sent.getOrDefault(${quoted(headerOf(plan, 'signature'))}, "");`,
    ...check(plan),
    '    }',
    '',
    ...main,
  );
}

const nonceLines = (plan: SamplePlan): readonly string[] =>
  plan.nonceLength > 0
    ? [
        `        String nonce = sent.getOrDefault(${quoted(headerOf(plan, 'nonce'))}, "");`,
        '        if (!nonce.matches("[A-Za-z0-9+/=_~-]{16,64}")) return false;',
      ]
    : [];

function headOf(plan: SamplePlan): (string | false)[] {
  return [
    '// Checks a request that Pierhead signed: java Verify.java POST https://… headers.txt < body.json',
    `// ${checkHint(plan)} ${windowS} seconds are allowed between its clock and yours.`,
    nonceHint(plan, '//'),
    ...imports.map((name) => `import ${name.replace('PKCS8', 'X509')};`),
  ];
}

const main: readonly string[] = [
  '    public static void main(String[] args) throws Exception {',
  '        var headers = new HashMap<String, String>();',
  '        for (String line : Files.readAllLines(Path.of(args[2]))) headers.put(line.split(": ", 2)[0], line.split(": ", 2)[1]);',
  '        double now = args.length > 3 ? Double.parseDouble(args[3]) : System.currentTimeMillis() / 1000.0;',
  '        System.exit(verify(args[0], args[1], headers, System.in.readAllBytes(), now) ? 0 : 1);',
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

const decodings = {
  base64: 'Base64.getDecoder().decode(encoded)',
  base64url: 'Base64.getUrlDecoder().decode(encoded)',
  hex: 'HexFormat.of().parseHex(encoded)',
} as const;

function check(plan: SamplePlan): string[] {
  const { algorithm, hash, encoding, keyFormat, before, after } = plan;
  const variable = `System.getenv("${checkVariable(plan)}")`;
  if (algorithm === 'HMAC') {
    return [
      `        String secret = ${variable};`,
      '        byte[] key = secret.startsWith("whsec_") ? Base64.getDecoder().decode(secret.substring(6)) : secret.getBytes(StandardCharsets.UTF_8);',
      `        Mac mac = Mac.getInstance("Hmac${hashes[hash]}");`,
      `        mac.init(new SecretKeySpec(key, "Hmac${hashes[hash]}"));`,
      '        byte[] made = mac.doFinal(text.toByteArray());',
      `        String signature = ${encodings[encoding]};`,
      '        // Compares all bytes, whatever differs.',
      `        String expected = ${wrapped(plan)};`,
      `        return MessageDigest.isEqual(expected.getBytes(StandardCharsets.UTF_8), given.getBytes(StandardCharsets.UTF_8));`,
    ];
  }
  const der =
    keyFormat === 'DER'
      ? `Files.readAllBytes(Path.of(${variable}))`
      : `Base64.getMimeDecoder().decode(Files.readString(Path.of(${variable})).replaceAll("-----[^-]+-----", ""))`;
  const type = algorithm === 'RSA2' ? 'RSA' : 'EC';
  const isBare = before + after === '';
  return [
    `        PublicKey key = KeyFactory.getInstance("${type}").generatePublic(new X509EncodedKeySpec(${der}));`,
    ...(isBare ? [] : [`        if (!given.startsWith(${quoted(before)}) || !given.endsWith(${quoted(after)})) return false;`]),
    `        String encoded = ${isBare ? 'given' : `given.substring(${before.length}, given.length() - ${after.length})`};`,
    `        Signature verifier = Signature.getInstance("${hashes[hash]}with${algorithm === 'RSA2' ? 'RSA' : 'ECDSA'}");`,
    '        verifier.initVerify(key);',
    '        verifier.update(text.toByteArray());',
    '        try {',
    `            return verifier.verify(${decodings[encoding]});`,
    '        } catch (IllegalArgumentException | SignatureException notOne) {',
    '            return false;',
    '        }',
  ];
}
