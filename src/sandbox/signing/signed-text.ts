/** The contract's default payload template. */
export const defaultTemplate = '{request_method}.{url}.{client_id}.{timestamp}.{payload}';

/** Fills a payload template: the text to sign, with the payload byte by byte. */
export function signedText(template: string, values: Readonly<Record<string, string>>, payload: Uint8Array): Buffer {
  const pieces = template.split(/(\{[a-z_]+\})/).map((piece) => {
    const name = piece.startsWith('{') ? piece.slice(1, -1) : undefined;
    if (name === undefined) return Buffer.from(piece);
    return name === 'payload' ? payload : Buffer.from(values[name] ?? '');
  });
  return Buffer.concat(pieces);
}
