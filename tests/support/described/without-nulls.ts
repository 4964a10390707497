/** What a JSON text holds; members that are null are as absent, as the documents say of optional ones. */
export const withoutNulls = (text: string): unknown =>
  JSON.parse(text, function (this: unknown, _name: string, value: unknown) {
    return value === null && !Array.isArray(this) ? undefined : value;
  });
