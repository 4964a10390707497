/** An explanation as the manage API shows it. */
export interface ExplanationView {
  readonly verdict: string;
  readonly sentence: string;
  readonly causes: readonly { readonly codes: readonly string[] }[];
  readonly differs_at?: number;
  readonly difference?: { readonly expected: ExcerptView; readonly signed: ExcerptView };
  readonly expected_string?: string;
  readonly code: Readonly<Record<string, string>>;
}

interface ExcerptView {
  readonly text: string;
  readonly column: number;
}

export interface TextStyle {
  /** One of the members of `code`. */
  readonly language: string;
  readonly colour: boolean;
}

const bold = (text: string, colour: boolean): string => (colour ? `\x1b[1m${text}\x1b[0m` : text);

/** Formats an explanation for a terminal: the verdict, where the texts differ, the text to sign, and code that signs it. */
export function explanationText(explanation: ExplanationView, { language, colour }: TextStyle): string {
  const { sentence, causes, differs_at: at, difference, expected_string: expected, code } = explanation;
  const codes = causes.flatMap((cause) => cause.codes);
  const lines = [bold(sentence, colour)];
  if (codes.length > 0) lines.push(`(${codes.join(', ')})`);
  if (at !== undefined && difference) {
    lines.push('', bold(`The two texts part at byte ${String(at)}:`, colour));
    lines.push(`  expected  ${difference.expected.text}`, `  signed    ${difference.signed.text}`);
    lines.push(`            ${' '.repeat(difference.expected.column)}^`);
  }
  if (expected !== undefined) lines.push('', bold('What must be signed (␊ line feed, ␍ carriage return, ␉ tab):', colour), `  ${expected}`);
  const program = code[language];
  if (program !== undefined) lines.push('', bold(`Signing code (${language}):`, colour), program.trimEnd());
  return `${lines.join('\n')}\n`;
}
