import type { SignatureHash, TimestampPrecision } from '../../signing/signature-settings';
import { keyHint, keyVariable, pieces, program, quoted, usesFixed, type SamplePlan } from './sample-plan';

/** For each hash, the package and its name in package crypto. */
export const hashes: Readonly<Record<SignatureHash, { readonly from: string; readonly make: string; readonly id: string }>> = {
  'SHA-224': { from: 'crypto/sha256', make: 'sha256.New224', id: 'crypto.SHA224' },
  'SHA-256': { from: 'crypto/sha256', make: 'sha256.New', id: 'crypto.SHA256' },
  'SHA-384': { from: 'crypto/sha512', make: 'sha512.New384', id: 'crypto.SHA384' },
  'SHA-512': { from: 'crypto/sha512', make: 'sha512.New', id: 'crypto.SHA512' },
  'SHA-1': { from: 'crypto/sha1', make: 'sha1.New', id: 'crypto.SHA1' },
  MD5: { from: 'crypto/md5', make: 'md5.New', id: 'crypto.MD5' },
};
const times: Readonly<Record<TimestampPrecision, string>> = {
  seconds: 'Unix',
  milliseconds: 'UnixMilli',
  microseconds: 'UnixMicro',
  nanoseconds: 'UnixNano',
};
export const names = {
  ...{ request_method: 'method', url: 'url', client_id: 'clientID', timestamp: 'timestamp', nonce: 'nonce' },
  ...{ identity: 'identity', merchant_id: 'merchantID', payload: 'body' },
};

/** Signing code for Go 1.19 and later. */
export function goSample(plan: SamplePlan): string {
  const { headers, nonceLength, fixed } = plan;
  const set = (name: keyof typeof fixed): string | false => usesFixed(plan, name) && `const ${names[name]} = ${quoted(fixed[name])}`;
  const writes = pieces(plan, names, quoted).map((piece) => (piece === 'body' ? '\ttext.Write(body)' : `\ttext.WriteString(${piece})`));
  return program(
    '// Prints the headers that sign a request: go run sign.go POST https://… < body.json',
    `// ${keyHint(plan)} Send the very bytes that were signed.`,
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
    'func must[T any](value T, err error) T {',
    '\tif err != nil {',
    '\t\tpanic(err)',
    '\t}',
    '\treturn value',
    '}',
    '',
    'func signatureHeaders(method, address string, body []byte) [][2]string {',
    usesUrl(plan) && (plan.urlForm === 'full' ? '\turl := address' : '\turl := must(neturl.Parse(address)).RequestURI()'),
    `\ttimestamp := strconv.FormatInt(time.Now().${times[plan.precision]}(), 10)`,
    ...(nonceLength > 0
      ? [`\trandom := make([]byte, ${nonceLength})`, '\tmust(rand.Read(random))', `\tnonce := hex.EncodeToString(random)[:${nonceLength}]`]
      : []),
    '\tvar text bytes.Buffer',
    ...writes,
    ...signing(plan),
    '\treturn [][2]string{',
    ...headers.map(({ name, value }) => `\t\t{${quoted(name)}, ${value === 'signature' ? wrapped(plan) : names[value]}},`),
    '\t}',
    '}',
    ...main,
  );
}

const main: readonly string[] = [
  '',
  'func main() {',
  '\tfor _, header := range signatureHeaders(os.Args[1], os.Args[2], must(io.ReadAll(os.Stdin))) {',
  '\t\tfmt.Printf("%s: %s\\n", header[0], header[1])',
  '\t}',
  '}',
];

/** Go refuses unused variables and packages. */
export const usesUrl = ({ parts }: SamplePlan): boolean => parts.some((part) => 'placeholder' in part && part.placeholder === 'url');

function importsOf(plan: SamplePlan): string[] {
  const { algorithm, hash, encoding, keyFormat, nonceLength, urlForm } = plan;
  const isHmac = algorithm === 'HMAC';
  const imports: (string | false)[] = [
    ...['bytes', 'fmt', 'io', 'os', 'strconv', 'time', hashes[hash].from],
    isHmac && 'crypto/hmac',
    isHmac && 'strings',
    !isHmac && 'crypto/x509',
    !isHmac && keyFormat === 'PEM' && 'encoding/pem',
    algorithm === 'RSA2' && 'crypto/rsa',
    algorithm === 'RSA2' && 'crypto',
    algorithm === 'ECDSA' && 'crypto/ecdsa',
    (!isHmac || nonceLength > 0) && 'crypto/rand',
    (encoding !== 'hex' || isHmac) && 'encoding/base64',
    (encoding === 'hex' || nonceLength > 0) && 'encoding/hex',
  ];
  const sorted = imports.filter((name) => name !== false).sort();
  return urlForm === 'path' && usesUrl(plan) ? [...sorted, 'net/url'] : sorted;
}

export const wrapped = ({ before, after }: SamplePlan): string =>
  [before && `${quoted(before)} + `, 'signature', after && ` + ${quoted(after)}`].join('');

const encodings = {
  base64: 'base64.StdEncoding.EncodeToString(made)',
  base64url: 'base64.RawURLEncoding.EncodeToString(made)',
  hex: 'hex.EncodeToString(made)',
} as const;

function signing(plan: SamplePlan): (string | false)[] {
  const { algorithm, hash, encoding, keyFormat } = plan;
  const variable = `os.Getenv("${keyVariable(plan)}")`;
  const encode = `\tsignature := ${encodings[encoding]}`;
  if (algorithm === 'HMAC') {
    return [
      `\tsecret := ${variable}`,
      '\tkey := []byte(secret)',
      '\tif strings.HasPrefix(secret, "whsec_") {',
      '\t\tkey = must(base64.RawStdEncoding.DecodeString(strings.TrimRight(secret[6:], "=")))',
      '\t}',
      `\tmac := hmac.New(${hashes[hash].make}, key)`,
      '\tmac.Write(text.Bytes())',
      '\tmade := mac.Sum(nil)',
      encode,
    ];
  }
  return [
    `\tder := must(os.ReadFile(${variable}))`,
    keyFormat === 'PEM' && '\tblock, _ := pem.Decode(der)',
    keyFormat === 'PEM' && '\tder = block.Bytes',
    `\tkey := must(x509.ParsePKCS8PrivateKey(der)).(*${algorithm === 'RSA2' ? 'rsa' : 'ecdsa'}.PrivateKey)`,
    `\tdigest := ${hashes[hash].make}()`,
    '\tdigest.Write(text.Bytes())',
    algorithm === 'RSA2'
      ? `\tmade := must(rsa.SignPKCS1v15(rand.Reader, key, ${hashes[hash].id}, digest.Sum(nil)))`
      : '\tmade := must(ecdsa.SignASN1(rand.Reader, key, digest.Sum(nil)))',
    encode,
  ];
}
