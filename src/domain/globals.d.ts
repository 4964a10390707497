/**
 * Globals that the domain may use: every JavaScript host has them, although they are not part of the language. Adding one needs an ADR:
 * undeclared names do not compile under src/domain/tsconfig.json.
 */
interface URL {
  readonly href: string;
  readonly protocol: string;
  readonly host: string;
  readonly hostname: string;
  readonly port: string;
  readonly pathname: string;
  readonly search: string;
  readonly hash: string;
  readonly username: string;
  readonly password: string;
}
declare var URL: { new (url: string, base?: string): URL; canParse(url: string): boolean };

interface TextEncoder {
  encode(text?: string): Uint8Array<ArrayBuffer>;
  encodeInto(text: string, target: Uint8Array): { readonly written: number };
}
declare var TextEncoder: { new (): TextEncoder };

interface TextDecoder {
  decode(bytes?: Uint8Array): string;
}
declare var TextDecoder: { new (label?: string, options?: { fatal?: boolean; ignoreBOM?: boolean }): TextDecoder };
