import { wrapped, hashes, names, usesUrl } from './go-sample';
import { pieces, program, quoted, usesFixed, type SamplePlan } from './sample-plan';
import { checkHint, checkVariable, fixedHeaders, headerOf, inSeconds, nonceHint, windowS } from './verifier-plan';

/** Checking code for Go 1.19 and later. */
export function goVerifier(plan: SamplePlan): string {
  const { fixed } = plan;
  const set = (name: keyof typeof fixed): string | false => usesFixed(plan, name) && `const ${names[name]} = ${quoted(fixed[name])}`;
  const writes = pieces(plan, names, quoted).map((piece) => (piece === 'body' ? '\ttext.Write(body)' : `\ttext.WriteString(${piece})`));
  return program(
    '// Checks a request that Pierhead signed: go run verify.go POST https://… headers.txt < body.json',
    `// ${checkHint(plan)} ${windowS} seconds are allowed between its clock and yours.`,
    nonceHint(plan, '//'),
    'package main',
    '',
    'import (',
    ...importsOf(plan).map((name) => `\t${name === 'net/url' ? 'neturl ' : ''}"${name}"`),
    ')',
    '',
    set('client_id'),
    set('identity'),
    set('merchant_id'),
    '',
    ...must,
    '// Whether it fits: the URL as you registered it, the headers, and the body byte by byte as it came; now in Unix seconds.',
    'func verify(method, address string, sent http.Header, body []byte, now float64) bool {',
    ...fixedHeaders(plan).flatMap(({ name, value }) => unless(`sent.Get(${quoted(name)}) == ${names[value as 'client_id']}`)),
    usesUrl(plan) && (plan.urlForm === 'full' ? '\turl := address' : '\turl := must(neturl.Parse(address)).RequestURI()'),
    `\ttimestamp := sent.Get(${quoted(headerOf(plan, 'timestamp'))})`,
    ...unless('regexp.MustCompile(`^[1-9][0-9]{0,18}$`).MatchString(timestamp)'),
    ...unless(`math.Abs(must(strconv.ParseFloat(timestamp, 64))${inSeconds(plan).replaceAll(' ', '')}-now) <= ${windowS}`),
    ...nonceLines(plan),
    '\tvar text bytes.Buffer',
    ...writes,
    `\tgiven := sent.Get(${quoted(headerOf(plan, 'signature'))})`,
    ...check(plan),
    '}',
    ...main,
  );
}

const nonceLines = (plan: SamplePlan): string[] =>
  plan.nonceLength > 0
    ? [
        `\tnonce := sent.Get(${quoted(headerOf(plan, 'nonce'))})`,
        ...unless('regexp.MustCompile(`^[A-Za-z0-9+/=_~-]{16,64}$`).MatchString(nonce)'),
      ]
    : [];

const unless = (condition: string): string[] => [`\tif !(${condition}) {`, '\t\treturn false', '\t}'];

const must: readonly string[] = [
  'func must[T any](value T, err error) T {',
  '\tif err != nil {',
  '\t\tpanic(err)',
  '\t}',
  '\treturn value',
  '}',
  '',
];

const main: readonly string[] = [
  '',
  'func main() {',
  '\theaders := http.Header{}',
  '\tfor _, line := range strings.Split(strings.TrimSpace(string(must(os.ReadFile(os.Args[3])))), "\\n") {',
  '\t\tname, value, _ := strings.Cut(line, ": ")',
  '\t\theaders.Add(name, value)',
  '\t}',
  '\tnow := float64(time.Now().UnixMilli()) / 1000',
  '\tif len(os.Args) > 4 {',
  '\t\tnow = must(strconv.ParseFloat(os.Args[4], 64))',
  '\t}',
  '\tif !verify(os.Args[1], os.Args[2], headers, must(io.ReadAll(os.Stdin)), now) {',
  '\t\tos.Exit(1)',
  '\t}',
  '}',
];

/** Go refuses unused packages. */
function importsOf(plan: SamplePlan): string[] {
  const { algorithm, hash, encoding, keyFormat, urlForm } = plan;
  const isHmac = algorithm === 'HMAC';
  const imports: (string | false)[] = [
    ...['bytes', 'io', 'math', 'net/http', 'os', 'regexp', 'strconv', 'strings', 'time', hashes[hash].from],
    isHmac && 'crypto/hmac',
    !isHmac && 'crypto/x509',
    !isHmac && keyFormat === 'PEM' && 'encoding/pem',
    algorithm === 'RSA2' && 'crypto/rsa',
    algorithm === 'RSA2' && 'crypto',
    algorithm === 'ECDSA' && 'crypto/ecdsa',
    (encoding !== 'hex' || isHmac) && 'encoding/base64',
    encoding === 'hex' && 'encoding/hex',
    urlForm === 'path' && usesUrl(plan) && 'net/url',
  ];
  return imports.filter((name) => name !== false).sort();
}

const codecs = { base64: 'base64.StdEncoding', base64url: 'base64.RawURLEncoding', hex: 'hex' } as const;

function check(plan: SamplePlan): (string | false)[] {
  const { algorithm, hash, encoding, keyFormat, before, after } = plan;
  const variable = `os.Getenv("${checkVariable(plan)}")`;
  if (algorithm === 'HMAC') {
    return [
      `\tsecret := ${variable}`,
      '\tif secret == "" {',
      '\t\tpanic("the secret is empty")',
      '\t}',
      '\tkey := []byte(secret)',
      '\tif strings.HasPrefix(secret, "whsec_") {',
      '\t\tkey = must(base64.RawStdEncoding.DecodeString(strings.TrimRight(secret[6:], "=")))',
      '\t}',
      `\tmac := hmac.New(${hashes[hash].make}, key)`,
      '\tmac.Write(text.Bytes())',
      `\tsignature := ${codecs[encoding]}.EncodeToString(mac.Sum(nil))`,
      '\t// Compares all bytes, whatever differs.',
      `\treturn hmac.Equal([]byte(${wrapped(plan)}), []byte(given))`,
    ];
  }
  const isBare = before + after === '';
  return [
    `\tder := must(os.ReadFile(${variable}))`,
    keyFormat === 'PEM' && '\tblock, _ := pem.Decode(der)',
    keyFormat === 'PEM' && '\tder = block.Bytes',
    `\tkey := must(x509.ParsePKIXPublicKey(der)).(*${algorithm === 'RSA2' ? 'rsa' : 'ecdsa'}.PublicKey)`,
    ...(isBare ? [] : unless(`strings.HasPrefix(given, ${quoted(before)}) && strings.HasSuffix(given, ${quoted(after)})`)),
    `\tmade, err := ${codecs[encoding]}.DecodeString(${isBare ? 'given' : `given[${before.length} : len(given)-${after.length}]`})`,
    '\tif err != nil {',
    '\t\treturn false',
    '\t}',
    `\tdigest := ${hashes[hash].make}()`,
    '\tdigest.Write(text.Bytes())',
    algorithm === 'RSA2'
      ? `\treturn rsa.VerifyPKCS1v15(key, ${hashes[hash].id}, digest.Sum(nil), made) == nil`
      : '\treturn ecdsa.VerifyASN1(key, digest.Sum(nil), made)',
  ];
}
